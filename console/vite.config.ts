import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Static files for the service to hand out: no inline script or style, so that the strictest policy holds. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What is bundled asks for its licence to come with it.
    license: { fileName: 'licenses.md' },
  },
  server: {
    proxy: {
      '/memory': 'http://127.0.0.1:8000',
      '/health': 'http://127.0.0.1:8000',
      '/clients': 'http://127.0.0.1:8000',
      '/config': 'http://127.0.0.1:8000',
    },
  },
});

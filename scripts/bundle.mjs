// Puts the modules of the command line and the server, and the packages that they load most often, into a few files:
// loading hundreds of small ones takes longer than most commands. Worker threads and the library keep the files of the compiler.
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const outDir = join(dist, 'bundle');

/** Files are found from where the compiler put each module, not from the bundle. */
const placesOfModules = {
  name: 'places-of-modules',
  transform(code, id) {
    if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
    const place = relative(outDir, id).replaceAll(sep, '/');
    return { code: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`), map: null };
  },
};

await build({
  configFile: false,
  root: dist,
  logLevel: 'error',
  plugins: [placesOfModules],
  ssr: {
    noExternal: [
      '@hono/node-server',
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/core',
      'ajv',
      'ajv-formats',
      'commander',
      'hono',
      'yaml',
      'zod',
    ],
  },
  build: {
    ssr: true,
    target: 'node20',
    outDir,
    minify: false,
    reportCompressedSize: false,
    // What is bundled asks for its licence to come with it.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // Without comments that name where each package was found: the same bytes wherever it is built.
      experimental: { attachDebugInfo: 'none' },
      input: { run: join(dist, 'cli', 'run.js') },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});

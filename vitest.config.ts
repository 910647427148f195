import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = dirname(fileURLToPath(import.meta.url));
const source = join(root, 'src') + sep;

/**
 * Tests import from `src/` for their types and run what was built from it in `dist/`: worker threads, import paths and
 * compiler settings are then the ones that ship.
 */
const runBuiltCode = {
  name: 'run-built-code',
  enforce: 'pre' as const,
  resolveId(specifier: string, importer: string | undefined) {
    if (!specifier.startsWith('.') || importer === undefined) return null;
    const target = resolve(dirname(importer), specifier);
    if (!target.startsWith(source)) return null;
    const built = join(root, 'dist', relative(source, target));
    if (!existsSync(built)) throw new Error(`${relative(root, built)} is missing: run "npm run build" first`);
    return { id: pathToFileURL(built).href, external: true };
  },
};

/** Tests that need what a plain install does not bring; scripts/rings installs it and names the ring. */
const ring = process.env.TEST_RING;

export default defineConfig({
  plugins: [runBuiltCode],
  test: {
    include: [ring === undefined ? 'test/**/*.test.ts' : `test/rings/${ring}/**/*.ring.ts`],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});

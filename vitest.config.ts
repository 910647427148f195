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

/** `npm run test:quick`: the pure rooms straight from `src/`, without a build. They start no thread and no program. */
const fromSources = process.env.TEST_SOURCES === '1';

/** Tests that need more than a plain install; scripts/rings installs it and sets the name of the ring. */
const ring = process.env.TEST_RING;

/** Far more than any test needs: they only end what hangs, and must not end what is slow on a busy machine. */
const common = { testTimeout: 180_000, hookTimeout: 240_000 };

/**
 * Loading the program takes longer than most test files, so the files of these folders share two processes, one file after
 * the other. A test file in them restores what it changes in its process: variables, timers, listeners.
 */
const sharing = [
  'answers',
  'concurrency',
  'config',
  'facts',
  'http',
  'indexing',
  'ingestion',
  'language',
  'language-model',
  'mcp',
  'model',
  'operations',
  'resilience',
  'retrieval',
  'tokenizer',
].map((folder) => `test/${folder}/**/*.test.ts`);

/** Exceptions: tests that measure their own process (memory, event-loop delay). */
const alone = ['test/concurrency/yielding.test.ts', 'test/mcp/many-sessions.test.ts'];
for (const file of alone)
  if (!existsSync(join(root, file))) throw new Error(`vitest.config.ts names ${file}, which is gone`);

/** Every test file is in exactly one of the three. */
const isolated = {
  ...common,
  name: 'isolated',
  include: ['test/**/*.test.ts'],
  exclude: [...sharing, ...alone],
  sequence: { groupOrder: 0 },
};
const shared = {
  ...common,
  name: 'shared',
  isolate: false,
  include: sharing,
  exclude: alone,
  sequence: { groupOrder: 1 },
};
const measuring = { ...common, name: 'alone', include: alone, sequence: { groupOrder: 0 } };
const ofRing = { ...common, name: ring ?? '', include: [`test/rings/${ring}/**/*.ring.ts`] };

export default defineConfig({
  plugins: fromSources ? [] : [runBuiltCode],
  test: {
    maxWorkers: 2,
    projects: (ring === undefined ? [isolated, measuring, shared] : [ofRing]).map((test) => ({
      extends: true as const,
      test,
    })),
  },
});

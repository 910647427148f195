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
 * Loading the program takes longer than most test files, so they share three processes, one file after the other. A test
 * file restores what it changes in its process: variables, timers, listeners. These have a process of their own, because
 * they measure it (memory, processor time, event-loop delay).
 */
const alone = [
  'test/concurrency/yielding.test.ts',
  'test/console/readable.test.ts',
  'test/fuzz/slow-texts.test.ts',
  'test/growth/growth.test.ts',
  'test/importers/html.test.ts',
  'test/importers/jetbrains.test.ts',
  'test/mcp/many-sessions.test.ts',
];

/**
 * What `npm test` leaves to `npm run test:long`, which `.ci/run` runs after it. test/README.md says why, and what remains
 * of it in `npm test`.
 */
const longOnly = [
  'test/app/migrate.test.ts',
  'test/app/reindex-stores.test.ts',
  'test/app/upgrade-stores.test.ts',
  'test/app/vector-damage.test.ts',
  'test/backup/stores.test.ts',
  'test/cli/admin.test.ts',
  'test/cli/backup.test.ts',
  'test/cli/conversations.test.ts',
  'test/cli/dry-run.test.ts',
  'test/cli/export.test.ts',
  'test/cli/facts.test.ts',
  'test/cli/forget.test.ts',
  'test/cli/import.test.ts',
  'test/cli/import-at-server.test.ts',
  'test/cli/import-detect.test.ts',
  'test/cli/index.test.ts',
  'test/cli/local-server.test.ts',
  'test/cli/migrate.test.ts',
  'test/cli/service.test.ts',
  'test/cli/watch.test.ts',
  'test/crash/import.test.ts',
  'test/faults/database-away.test.ts',
  'test/fuzz/http.test.ts',
  'test/fuzz/mcp.test.ts',
  'test/fuzz/stdio.test.ts',
  'test/growth/growth.test.ts',
  'test/importers/round-trip.test.ts',
  'test/mcp/many-sessions.test.ts',
  'test/operations/search/deep.test.ts',
  'test/power-cut/power-cut.test.ts',
  'test/scenarios/ask.test.ts',
  'test/scenarios/embedded.test.ts',
  'test/sdk/packaging.test.ts',
  'test/sdk/same-answers.test.ts',
  'test/sdk/shared-suite.test.ts',
  'test/stores/metadata/mongodb-replica-set.test.ts',
  'test/stores/metadata/postgres.test.ts',
  'test/stores/metadata/postgres-pool.test.ts',
];

/** Files that `npm test` runs with fewer attempts (`atLength` in test/support/length.ts), and `npm run test:long` with all. */
const inBoth = [
  'test/crash/crash.test.ts',
  'test/fuzz/importers.test.ts',
  'test/fuzz/parsers.test.ts',
  'test/importers/accounting.test.ts',
  'test/observability/privacy.test.ts',
  'test/operations/ask/properties.test.ts',
  'test/operations/search/paging.test.ts',
];

for (const file of [...alone, ...longOnly, ...inBoth])
  if (!existsSync(join(root, file))) throw new Error(`vitest.config.ts names ${file}, which is gone`);

/** `common` in `npm test`, `long` in `npm run test:long`. Whoever names files or folders gets them whole. */
const length = process.env.TEST_LENGTH;
const left = length === 'common' ? longOnly : [];

const included = length === 'long' ? [...longOnly, ...inBoth] : ['test/**/*.test.ts'];

/** Every test file is in exactly one of these two. */
const shared = {
  ...common,
  name: 'shared',
  isolate: false,
  // Tests make much that is soon garbage; with room for it, it is collected less often.
  execArgv: ['--max-semi-space-size=64'],
  include: included,
  exclude: [...alone, ...left],
  sequence: { groupOrder: 1 },
};
const measuring = {
  ...common,
  name: 'alone',
  include: length === 'long' ? alone.filter((file) => included.includes(file)) : alone,
  exclude: left,
  sequence: { groupOrder: 0 },
};
const ofRing = { ...common, name: ring ?? '', include: [`test/rings/${ring}/**/*.ring.ts`] };
const chosen = ring !== undefined ? [ofRing] : [measuring, shared];

export default defineConfig({
  plugins: fromSources ? [] : [runBuiltCode],
  test: {
    // One more than the cores of a small machine: many tests wait, for time-outs, threads and programs that they started.
    maxWorkers: ring === undefined ? 3 : 2,
    projects: chosen.map((test) => ({ extends: true as const, test })),
  },
});

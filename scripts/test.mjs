// `npm test`: install, build, check, then every test. Arguments go to Vitest.
// `npm run test:quick`: the pure rooms from their sources, without a build or a check; arguments choose among them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeInstalled, makeReady, root, run } from './ready.mjs';

/** Rooms without stores, threads and programs. test/README.md lists them too. */
const pure = ['answers', 'config', 'facts', 'ingestion', 'language', 'model', 'resilience', 'retrieval'];

const quick = process.argv.includes('--quick');
const args = process.argv.slice(2).filter((argument) => argument !== '--quick');
const tool = (name, ...path) => join(root, 'node_modules', name, ...path);
if (quick) makeInstalled();
else makeReady();
if (!quick && args.length === 0) {
  run(process.execPath, [tool('@biomejs', 'biome', 'bin', 'biome'), 'check', '.']);
  run(process.execPath, [tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', join(root, 'tsconfig.test.json')]);
}
const chosen = quick && args.length === 0 ? pure.map((room) => `test/${room}/`) : args;
const result = spawnSync(process.execPath, [tool('vitest', 'vitest.mjs'), 'run', ...chosen], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(quick ? { TEST_SOURCES: '1' } : {}) },
});
process.exit(result.status ?? 1);

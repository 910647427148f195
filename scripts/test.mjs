// `npm test`: install, build, check, then every test. Arguments go to Vitest; `--crash` runs the long crash test alone.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root, run } from './ready.mjs';

makeReady();
const tool = (name, ...path) => join(root, 'node_modules', name, ...path);
const vitest = tool('vitest', 'vitest.mjs');
const given = process.argv.slice(2);
const crash = given.includes('--crash');
const args = given.filter((argument) => argument !== '--crash');
if (!crash && args.length === 0) {
  run(process.execPath, [tool('@biomejs', 'biome', 'bin', 'biome'), 'check', '.']);
  run(process.execPath, [tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', join(root, 'tsconfig.test.json')]);
}
const result = spawnSync(process.execPath, [vitest, 'run', ...(crash ? ['test/crash'] : args)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(crash ? { CRASH_TEST_KILLS: process.env.CRASH_TEST_KILLS ?? '1000' } : {}) },
});
process.exit(result.status ?? 1);

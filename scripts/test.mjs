// `npm test`: install, build, check, then every test. Arguments go to Vitest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root, run } from './ready.mjs';

makeReady();
const tool = (name, ...path) => join(root, 'node_modules', name, ...path);
const vitest = tool('vitest', 'vitest.mjs');
const args = process.argv.slice(2);
if (args.length === 0) {
  run(process.execPath, [tool('@biomejs', 'biome', 'bin', 'biome'), 'check', '.']);
  run(process.execPath, [tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', join(root, 'tsconfig.test.json')]);
}
const result = spawnSync(process.execPath, [vitest, 'run', ...args], { cwd: root, stdio: 'inherit' });
process.exit(result.status ?? 1);

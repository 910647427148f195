// Every entry point that reads text of others, with half of the hostile units and those that the program's own expressions
// stumble over: the time must grow with the length. Takes long.
//   node scripts/rings/growth.mjs
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root } from '../ready.mjs';

makeReady();
const result = spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_RING: 'growth' },
});
process.exit(result.status ?? 1);

// No request holds the event loop for 50 ms: the largest conversations, queries and files that the default limits allow,
// sent to a running server whose event loop is measured.
//   node scripts/rings/slices.mjs [-t 'part of a title']
//   --part   every third of each table of texts, queries and files, as CI runs it
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root } from '../ready.mjs';

makeReady();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const given = process.argv.slice(2);
const isPart = given.includes('--part');
const others = given.filter((each) => each !== '--part');
const result = spawnSync(process.execPath, [vitest, 'run', ...others], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_RING: 'slices', ...(isPart ? { SLICES_PART: '1' } : {}) },
});
process.exit(result.status ?? 1);

// Every entry point that reads text of others, with hostile units and those that the program's own expressions stumble
// over: the time must grow with the length.
//   node scripts/rings/growth.mjs                 all of them at each entry point: takes long
//   node scripts/rings/growth.mjs --seconds 100   as many as fit into that processor time in all, others every day
//   --seed N                                      the choice of another day; it is printed
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReady, root } from '../ready.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
for (const [name, value] of Object.entries(values)) {
  if (/^\d{1,9}$/.test(value)) continue;
  console.error(`--${name} takes a whole number`);
  process.exit(2);
}
const today = Math.floor(Date.now() / 86_400_000);
makeReady();
const result = spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_RING: 'growth',
    GROWTH_SEED: values.seed ?? String(today),
    ...(values.seconds === undefined ? {} : { GROWTH_SECONDS: values.seconds }),
  },
});
process.exit(result.status ?? 1);

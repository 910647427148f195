// The ring of the soak test: half a minute of what `npm run test:soak` does for ten.
//   node scripts/rings/soak.mjs
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../ready.mjs';

const result = spawnSync(process.execPath, [join(root, 'scripts', 'soak.mjs'), '--minutes', '0.5'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(result.status ?? 1);

// The main flows of the console in Firefox, against the real server: open, search, read, ask, facts, import, forget and
// undo, the palette, the other languages. Debian's package is installed by name where it can be; without Firefox the
// ring is skipped, with the reason. `rings/console.mjs --browser firefox` runs every flow that Firefox can.
//   node scripts/rings/firefox.mjs
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findFirefox } from '../console/firefox.mjs';
import { root } from '../ready.mjs';

const mainFlows = [
  'search finds as one types',
  'the keyboard reads what is open',
  'the passage that matched',
  'a question is answered',
  'a citation opens beside the answer',
  'facts show their history',
  'facts: a value is corrected',
  'a dropped export is imported',
  'imports: one is undone',
  'forgetting one conversation waits',
  'what came after the preview stops forgetting',
  'the palette goes to views',
  'the timeline leads to a day',
  'no view scrolls sideways',
  'the history says where',
  'reads as text',
  'no button is smaller than its words',
  'the other language is complete',
  'Spanish is complete',
  'stored scripts stay text',
  'scripts in Markdown stay text',
  'a token signs in',
];

if (findFirefox() === undefined) {
  const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends firefox-esr';
  const { status, stderr, error } = spawnSync('sh', ['-c', install], { encoding: 'utf8' });
  if (findFirefox() === undefined) {
    const reason = error?.message ?? stderr?.trim().split('\n').at(-1) ?? `apt-get ended with ${status}`;
    console.log(`skipped: no Firefox, and firefox-esr cannot be installed (${reason})`);
    process.exit();
  }
}
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'scripts', 'rings', 'console.mjs'),
    ...['--browser', 'firefox'],
    ...['--conversations', '600'],
    ...['--only', mainFlows.join(',')],
    // A flow that was renamed must not be left out in silence.
    '--all-found',
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);

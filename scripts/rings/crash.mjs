// What survives: kills of the real server, power cuts at any moment, torn vector files, hostile disks.
//   node scripts/rings/crash.mjs             about two minutes
//   node scripts/rings/crash.mjs --long      `npm run test:crash`: 10,000 kill points, 100,000 power-cut states and more;
//                                            further options go to scripts/power-cut.mjs, such as --states 1000000
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root } from '../ready.mjs';

makeReady();
const given = process.argv.slice(2);
const long = given.includes('--long');
const sizes = long
  ? { kills: 150, damages: 40, replay: ['--kills', '10000', '--states', '100000'] }
  : {
      kills: 15,
      damages: 8,
      replay: ['--kills', '1000', '--states', '3000', '--rounds', '2', '--chances', '2', '--share', '0.35'],
    };
// Their own names: a variable THREADKEEP_* that is no setting stops the server.
const kills = process.env.CRASH_TEST_KILLS ?? String(sizes.kills);
const damages = process.env.CRASH_TEST_DAMAGES ?? String(sizes.damages);

const failed = [
  part(`${kills} real kills under load`, vitest(['test/crash']), { CRASH_TEST_KILLS: kills }),
  part(`${damages} damaged vector folders`, vitest(['test/app/vector-damage.test.ts']), {
    CRASH_TEST_DAMAGES: damages,
  }),
  part('full, read-only and forbidden disks', vitest([]), { TEST_RING: 'crash' }),
  part('kill points and power cuts', [
    join(root, 'scripts', 'power-cut.mjs'),
    ...sizes.replay,
    ...given.filter((argument) => argument !== '--long'),
  ]),
].filter((name) => name !== undefined);

if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exit(1);
}

function vitest(args) {
  return [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args];
}

/** The name of the part when it failed. */
function part(name, args, variables = {}) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  });
  return status === 0 ? undefined : name;
}

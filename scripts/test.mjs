// `npm test`: install, build, check, then the tests in the form that a person can wait for. Arguments go to Vitest, which
//             then runs the files they name whole, those of `npm run test:long` too.
// `npm run test:long`: what `npm test` leaves out or tries less often; vitest.config.ts has the lists.
// `npm run test:quick`: the pure rooms from their sources, without a build or a check; arguments choose among them.
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderInMemory, makeInstalled, makeReady, root } from './ready.mjs';

/** Rooms without stores, threads and programs. test/README.md lists them too. */
const pure = ['answers', 'config', 'facts', 'ingestion', 'language', 'model', 'resilience', 'retrieval'];

const quick = process.argv.includes('--quick');
const long = process.argv.includes('--long');
const args = process.argv.slice(2).filter((argument) => argument !== '--quick' && argument !== '--long');
const tool = (name, ...path) => join(root, 'node_modules', name, ...path);
const everything = !quick && !long && args.length === 0;
if (quick) makeInstalled();
else makeReady();
if (everything) {
  const passed = await Promise.all([
    check(tool('@biomejs', 'biome', 'bin', 'biome'), 'check', '.'),
    check(tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', join(root, 'tsconfig.test.json')),
  ]);
  if (passed.includes(false)) process.exit(1);
}
const chosen = quick && args.length === 0 ? pure.map((room) => `test/${room}/`) : args;
const folder = quick ? undefined : folderInMemory();
// Ctrl+C ends the tests; what they left in memory is removed then, too.
process.on('SIGINT', () => {});
const result = spawnSync(process.execPath, [tool('vitest', 'vitest.mjs'), 'run', ...chosen], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(folder === undefined ? {} : { TMPDIR: folder }),
    ...(quick ? { TEST_SOURCES: '1' } : {}),
    ...(everything ? { TEST_LENGTH: 'common' } : {}),
    ...(long ? { TEST_LENGTH: 'long' } : {}),
  },
});
if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
process.exit(result.status ?? 1);

/** Whether a check passed. Its output comes in one piece, because another check runs beside it. */
function check(...command) {
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => printed.push(part));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.stderr.write(Buffer.concat(printed));
      resolve(code === 0);
    });
  });
}

// `npm start`: install, build, serve. Everything after `--` goes to `threadkeep serve`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root } from './ready.mjs';

makeReady();
const child = spawn(process.execPath, [join(root, 'dist', 'main.js'), 'serve', ...process.argv.slice(2)], {
  stdio: 'inherit',
  // glibc keeps memory apart for each thread and gives little of it back: with these settings a quarter less is held.
  env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '262144', ...process.env },
});
// The terminal sends its signal to both of us; a process manager only to this one, or even to npm alone, which then is gone.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref();
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));

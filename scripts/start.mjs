// `npm start`: install, build, serve. Everything after `--` goes to `threadkeep serve`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root } from './ready.mjs';

makeReady();
const child = spawn(process.execPath, [join(root, 'dist', 'main.js'), 'serve', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// The terminal sends its signal to both of us; a process manager only to this one, or even to npm alone, which then is gone.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref();
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));

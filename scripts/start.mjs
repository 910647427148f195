// `npm start`: install, build, serve. Everything after `--` goes to `threadkeep serve`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root } from './ready.mjs';

makeReady();
const child = spawn(process.execPath, [join(root, 'dist', 'main.js'), 'serve', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// The terminal sends its signal to both of us; a process manager only to this one.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));

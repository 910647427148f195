import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../ready.mjs';

/** The server of test/soak in a process of its own: where it listens, and how to lead it. */
export async function startServer(folder, { seed }) {
  const child = fork(join(root, 'test', 'soak', 'server.mjs'), [String(seed)], {
    cwd: folder,
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let printed = '';
  child.stderr.on('data', (part) => {
    printed = (printed + part).slice(-4_000);
  });
  const waiting = new Map();
  let next = 0;
  let dead;
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const url = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message.url));
    exited.then(({ code }) => reject(new Error(`the server did not start (${code}): ${printed}`)));
  });
  child.on('message', ({ number, answer }) => {
    waiting.get(number)?.(answer);
    waiting.delete(number);
  });
  exited.then((end) => {
    dead = end;
    for (const answer of waiting.values()) answer(undefined);
  });
  const order = (name, argument) =>
    new Promise((resolve) => {
      if (dead !== undefined) return resolve(undefined);
      const number = next++;
      waiting.set(number, resolve);
      child.send({ number, order: name, argument });
    });
  return { url, order, exited, printed: () => printed, dead: () => dead };
}

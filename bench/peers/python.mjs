// A Python program that answers one line of JSON with another, one request after the other (bridge.py is its other end).
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Resolves when the program is ready. Its environment is ours, with a home folder of its own and `variables`. */
export async function startPython(python, script, { folder, variables = {} }) {
  const child = spawn(python, [fileURLToPath(new URL(script, import.meta.url)), folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, ...variables },
  });
  let said = '';
  child.stderr.on('data', (part) => {
    said = (said + part).slice(-2_000);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await answers.next();
    if (done) throw new Error(`${script} ended with ${await ended}: ${said.trim().split('\n').at(-1)}`);
    const answer = JSON.parse(value);
    if (answer?.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  await next();
  return {
    ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return next();
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** A vector as Python reads it fastest: its numbers of 32 bits, in base64. */
export function encoded({ buffer, byteOffset, byteLength }) {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

// A real server with an empty memory, for the rings that use a client of it. The models are off, as in the other tests of the
// library, so that every runtime gets the same results.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../ready.mjs';

/** Starts it with its data in a new folder under `folder`, calls `use` with its address, and stops it. */
export async function withEmptyServer(folder, use, variables = {}) {
  const data = mkdtempSync(join(folder, 'data-'));
  const server = spawn(process.execPath, [join(root, 'dist', 'main.js'), 'serve', '--port', '0', '--json'], {
    cwd: data,
    env: {
      ...process.env,
      THREADKEEP_PATHS__DATA_DIR: data,
      THREADKEEP_PROVIDERS__VECTOR_DB: 'memory',
      THREADKEEP_MODELS__READER: 'false',
      THREADKEEP_MODELS__TAGGER: 'false',
      THREADKEEP_MODELS__DEEP_INDEX: 'false',
      THREADKEEP_OBSERVABILITY__LOG_LEVEL: 'error',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    const started = once(createInterface({ input: server.stdout }), 'line');
    const [line] = await Promise.race([started, ended.then(([code]) => fail(code))]);
    await use(JSON.parse(line).url);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

function fail(code) {
  throw new Error(`The server ended with ${code} before it listened`);
}

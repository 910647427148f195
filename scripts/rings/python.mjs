// The Python client and its adapters against the real server: for each Python it finds (3.10 to 3.13, or those named), an
// environment with httpx, LangChain and LlamaIndex, and a server with an empty memory.
//   node scripts/rings/python.mjs [PYTHON …]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeReady, root } from '../ready.mjs';

makeReady();
const client = join(root, 'clients', 'python');
const packages = ['httpx>=0.27,<1', 'langchain-core>=1,<2', 'llama-index-core>=0.13,<1', 'mypy'];
const named = process.argv.slice(2);
const wanted = named.length > 0 ? named : ['python3.10', 'python3.11', 'python3.12', 'python3.13'];
const found = wanted.filter((python) => spawnSync(python, ['--version']).status === 0);
if (found.length === 0) throw new Error(`None of ${wanted.join(', ')} runs here`);

for (const python of found) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-python-'));
  const server = spawn(process.execPath, [join(root, 'dist', 'main.js'), 'serve', '--port', '0', '--json'], {
    cwd: folder,
    env: {
      ...process.env,
      THREADKEEP_PATHS__DATA_DIR: join(folder, 'data'),
      THREADKEEP_PROVIDERS__VECTOR_DB: 'memory',
      THREADKEEP_MODELS__READER: 'false',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const environment = join(folder, 'environment');
    finish(python, ['-m', 'venv', environment]);
    const inside = join(environment, 'bin', 'python');
    finish(inside, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    const address = await addressOf(server);
    for (const test of ['run.py', 'frameworks.py']) {
      finish(inside, [join(client, 'tests', test), address]);
    }
    finish(inside, ['-m', 'mypy', '--config-file', join(client, 'pyproject.toml'), join(client, 'threadkeep')]);
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first line of `serve --json` says where it listens. */
async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const { url } = JSON.parse(line);
    if (typeof url === 'string') return url;
  }
  throw new Error('The server did not start');
}

function finish(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}`);
}

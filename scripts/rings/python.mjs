// The Python client and its adapters against the real server: for each Python it finds (3.10 to 3.13, or those named), an
// environment with httpx, LangChain and LlamaIndex. Prints how much of the suite that all ways share has passed, and which
// versions were skipped because this machine does not have them. Versions that pyenv installed are found too.
//   node scripts/rings/python.mjs [PYTHON …]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeReady, root } from '../ready.mjs';
import { withEmptyServer } from './empty-server.mjs';

makeReady();
const client = join(root, 'clients', 'python');
const packages = ['httpx>=0.27,<1', 'langchain-core>=1,<2', 'llama-index-core>=0.13,<1', 'mypy'];
const named = process.argv.slice(2);
const wanted = named.length > 0 ? named : ['python3.10', 'python3.11', 'python3.12', 'python3.13'];
const found = wanted.flatMap((python) => runnable(python) ?? []);
for (const python of wanted.filter((each) => runnable(each) === undefined)) {
  console.log(`skipped: ${python}, because it is not installed here`);
}
if (found.length === 0) throw new Error(`None of ${wanted.join(', ')} runs here`);

for (const python of found) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-python-'));
  try {
    const environment = join(folder, 'environment');
    finish(python, ['-m', 'venv', environment]);
    const inside = join(environment, 'bin', 'python');
    finish(inside, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    for (const [test, ...args] of [['run.py'], ['frameworks.py'], ['suite.py', 'sync'], ['suite.py', 'async']]) {
      await withEmptyServer(folder, (address) => finish(inside, [join(client, 'tests', test), ...args, address]));
    }
    const settings = ['--config-file', join(client, 'pyproject.toml'), '--cache-dir', join(folder, 'types')];
    finish(inside, ['-m', 'mypy', ...settings, join(client, 'threadkeep')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program itself, or the one that pyenv has: its own `python3.10` fails while another version is selected. */
function runnable(python) {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const installed = existsSync(versions) ? readdirSync(versions) : [];
  const candidates = [python, ...installed.map((version) => join(versions, version, 'bin', python))];
  return candidates.find((each) => spawnSync(each, ['--version']).status === 0);
}

function finish(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}`);
}

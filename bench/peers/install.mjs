// Peers are installed by the name of their package into a cache folder outside the repository, once for each version.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const isWindows = process.platform === 'win32';

/** `PEERS_CACHE`, else a folder among the temporary ones. */
export function cacheFolder() {
  return resolve(process.env.PEERS_CACHE || join(tmpdir(), 'threadkeep-peers'));
}

/** The package itself. Throws with the reason when it cannot be had. */
export async function npmPackage(cache, name, version) {
  const folder = join(cache, name);
  await once(folder, `${name}@${version}`, async () => {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await finish('npm', ['install', ...options, '--prefix', folder, `${name}@${version}`], { shell: isWindows });
  });
  return import(pathToFileURL(createRequire(join(folder, 'from-here.js')).resolve(name)).href);
}

/** An environment with these packages; answers its Python. Throws with the reason when it cannot be had. */
export async function pythonWith(cache, { name, packages, oldest }) {
  const folder = join(cache, name);
  const inside = join(folder, ...(isWindows ? ['Scripts', 'python.exe'] : ['bin', 'python']));
  await once(folder, packages.join(' '), async () => {
    const python = pythonFrom(oldest);
    if (python === undefined) {
      throw new Error(`${name} needs Python 3.${oldest} or newer: install it, or name it in PEERS_PYTHON`);
    }
    await finish(python, ['-m', 'venv', folder]);
    await finish(inside, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
  });
  return inside;
}

/** The first Python 3 that runs and is new enough; versions that pyenv installed are found too. */
function pythonFrom(oldest) {
  const named = process.env.PEERS_PYTHON;
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const installed = existsSync(versions) ? readdirSync(versions) : [];
  const found = ['python3', 'python', ...installed.map((version) => join(versions, version, 'bin', 'python3'))];
  return (named ? [named] : found).find((python) => {
    const { status, stdout } = spawnSync(python, ['-c', 'import sys, ensurepip; print(*sys.version_info[:2])']);
    if (status !== 0) return false;
    const [major, minor] = stdout.toString().trim().split(' ').map(Number);
    return major === 3 && minor >= oldest;
  });
}

/** Half an installation is removed, so that the next run starts afresh. */
async function once(folder, wanted, install) {
  const stamp = join(folder, 'installed.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await install();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  writeFileSync(stamp, wanted);
}

/** Throws with the last thing a program said that names an error. */
function finish(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(part));
    child.once('error', (error) => reject(new Error(`${command} does not run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const lines = Buffer.concat(said).toString().trim().split('\n');
      const reason = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1);
      reject(new Error(`${command} ${args[0]} failed: ${reason.slice(0, 200)}`));
    });
  });
}

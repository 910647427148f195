// The official MCP tools, pinned. They need Node 22, so that comes along where this one is older; nothing of it is
// installed with the package.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../ready.mjs';

const pinned = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
  node: '22.23.3',
};
const folder = join(root, 'node_modules', '.cache', 'mcp-rings');
const installed = (...path) => join(folder, 'node_modules', ...path);

export const conformance = installed('@modelcontextprotocol', 'conformance', 'dist', 'index.js');
export const inspector = installed('@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js');

/** Installs the tools once and answers the Node to run them with. */
export function installTools() {
  const list = JSON.stringify({ private: true, dependencies: pinned }, null, 2);
  const stamp = join(folder, 'package.json');
  if (!existsSync(conformance) || !existsSync(inspector)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(stamp, list);
    const options = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', options, { cwd: folder, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error('the MCP tools could not be installed');
  }
  return Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : installed('.bin', 'node');
}

/** Runs to the end and answers what was printed, without colours. */
export async function run(program, args, options = {}) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].on('data', (part) => {
      printed[name] += part;
    });
  }
  const [code] = await once(child, 'close');
  return { code, stdout: stripVTControlCharacters(printed.stdout), stderr: stripVTControlCharacters(printed.stderr) };
}

/** Starts a program that prints one line when it is ready, and stops it when the work is done. */
export async function withProgram(args, work) {
  const home = mkdtempSync(join(tmpdir(), 'threadkeep-ring-'));
  const child = spawn(process.execPath, args, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, THREADKEEP_PATHS__DATA_DIR: './data', THREADKEEP_PATHS__LOGS_DIR: './logs' },
  });
  try {
    const [line] = await once(child.stdout, 'data');
    return await work(String(line).trim(), home);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
    rmSync(home, { recursive: true, force: true });
  }
}

export const program = join(root, 'dist', 'main.js');

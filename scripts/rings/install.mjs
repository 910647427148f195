// The package as a new user gets it: packed from this checkout, installed into an empty prefix with an empty home, then
// used. `--node PATH` runs it with another Node; `--keep` leaves the folder. Fails loudly when a step does.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../ready.mjs';

const { values } = parseArgs({
  options: { node: { type: 'string', default: process.execPath }, keep: { type: 'boolean', default: false } },
});
const place = mkdtempSync(join(tmpdir(), 'threadkeep-install-'));
const home = join(place, 'home');
const prefix = join(place, 'prefix');
const elsewhere = join(place, 'elsewhere');
for (const folder of [home, prefix, elsewhere]) mkdirSync(folder);

try {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', place], { cwd: root }));
  const tarball = join(place, filename);
  console.log(`packed ${filename}, ${megabytes(statSync(tarball).size)} MB`);
  run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--no-save', tarball], { cwd: place });
  const modules = join(prefix, 'node_modules');
  const own = join(modules, 'threadkeep');
  const main = join(own, 'dist', 'main.js');
  check(existsSync(main), 'the tarball holds dist');
  check(!filesIn(join(own, 'dist')).some((file) => file.endsWith('.map')), 'the tarball holds no source maps');
  check(!existsSync(join(modules, 'js-tiktoken')), 'the tables of the exact tokenizer are not installed');
  const size = megabytes(sizeOf(modules));
  console.log(`installed ${size} MB:`);
  const largest = packagesIn(modules).map((name) => [name, sizeOf(join(modules, name))]);
  for (const [name, bytes] of largest.sort(([, a], [, b]) => b - a).slice(0, 8)) {
    console.log(`  ${name.padEnd(36)} ${megabytes(bytes)} MB`);
  }
  // The goal is 200; the native library of LanceDB and the prebuilt SQLite for every system are 183 of it.
  check(size < 235, 'it weighs less than 235 MB');

  const threadkeep = (args, input = '', cwd = home) => {
    const { status, stdout, stderr } = spawnSync(values.node, [main, ...args], {
      cwd,
      env: ours(),
      input,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`threadkeep ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
    console.log(`$ threadkeep ${args.join(' ')}\n${stdout.trimEnd()}`);
    return stdout;
  };
  threadkeep(['--version']);
  const where = JSON.parse(threadkeep(['where', '--json']));
  check(where.data.chosen_by === 'user' && where.data.path.startsWith(home), 'the memory is in the home of the person');
  threadkeep(['ingest', '-'], '[{"role":"user","text":"Nora booked a table at Ramiro."}]');
  check(threadkeep(['search', 'Nora'], '', elsewhere).includes('Ramiro'), 'another folder has the same memory');
  check(readdirSync(elsewhere).length === 0, 'nothing is left in the working directory');
  const server = spawn(values.node, [main, 'serve', '--port', '0', '--json'], { cwd: elsewhere, env: ours() });
  await once(server.stdout, 'data');
  check(threadkeep(['search', 'Nora']).includes('Ramiro'), 'search with a server');
  check(threadkeep(['ask', 'What did Nora book?']).includes('Ramiro'), 'ask with a server');
  server.kill('SIGTERM');
  const [code] = await once(server, 'exit');
  check(code === 0, 'the server ends cleanly');
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  check(threadkeep(['mcp'], `${JSON.stringify(hello)}\n`).includes('"serverInfo"'), 'MCP over stdio');
  threadkeep(['connect', 'claude-code', '--write']);
  threadkeep(['service', 'install', '--no-start']);
  threadkeep(['service', 'uninstall']);
  writeFileSync(join(home, 'transcript.txt'), 'User: My bicycle is blue.\nAssistant: Noted.\n');
  threadkeep(['import', 'manual', 'transcript.txt']);
  console.log('the package can be installed and used');
} finally {
  if (!values.keep) rmSync(place, { recursive: true, force: true });
}

/** Nothing of the person who runs this: an empty home, and the Node that is tried first on the path. */
function ours() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:THREADKEEP_|XDG_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    PATH: `${dirname(values.node)}${delimiter}${process.env.PATH}`,
  };
}

function run(program, args, options) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e8, ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

function check(holds, what) {
  if (!holds) throw new Error(`not so: ${what}`);
  console.log(`ok: ${what}`);
}

function packagesIn(modules) {
  return readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function sizeOf(path) {
  return statSync(path).isFile()
    ? statSync(path).size
    : filesIn(path).reduce((sum, file) => sum + statSync(file).size, 0);
}

function megabytes(bytes) {
  return Math.round(bytes / 1e5) / 10;
}

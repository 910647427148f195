// The package as a new user gets it: packed from this checkout, installed into an empty prefix with an empty home, used
// with Node 20, 22 and 24, upgraded with its data, and removed. Fails loudly when a step does.
//   node scripts/rings/install.mjs [--nodes 20,22,24] [--tarball FILE] [--transcript] [--keep]
// `--tarball` tries a package that is there already; `--transcript` writes the run into docs/install.md.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../ready.mjs';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '20,22,24' },
    tarball: { type: 'string' },
    transcript: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
// The goal is 200. LanceDB, SQLite for every system and our models are 214 of it: docs/install.md has the table.
const largestInstall = 255;
const place = mkdtempSync(join(realpathSync(tmpdir()), 'threadkeep-install-'));
const prefix = join(place, 'prefix');
mkdirSync(prefix);
const modules = join(prefix, 'node_modules');
const own = join(modules, 'threadkeep');
const main = join(own, 'dist', 'main.js');

try {
  const tarball = values.tarball === undefined ? pack(root) : resolve(values.tarball);
  console.log(`packed: ${megabytes(statSync(tarball).size)} MB`);
  install(tarball);
  checkInstalled();
  const majors = values.nodes.split(',');
  for (const major of majors) {
    const person = aPerson(major, nodeOf(major));
    const transcript = await useWith(person);
    if (major !== majors.at(-1)) continue;
    if (values.transcript) writeTranscript(transcript);
    upgrade(person, tarball);
    remove(person);
  }
  console.log(`the package can be installed, used, upgraded and removed (Node ${majors.join(', ')})`);
} finally {
  if (values.keep) console.log(`kept: ${place}`);
  else rmSync(place, { recursive: true, force: true });
}

function pack(folder, ...args) {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', place, ...args], { cwd: folder }),
  );
  return join(place, filename);
}

function install(tarball) {
  run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--no-save', '--prefer-offline', tarball], {
    cwd: place,
  });
}

function checkInstalled() {
  check(existsSync(main), 'the tarball holds dist');
  check(!filesIn(join(own, 'dist')).some((file) => file.endsWith('.map')), 'the tarball holds no source maps');
  check(!existsSync(join(modules, 'js-tiktoken')), 'the tables of the exact tokenizer are not installed');
  const packages = packagesIn(modules).map((name) => [name, sizeOf(join(modules, name))]);
  const size = megabytes(sizeOf(modules));
  console.log(`installed: ${size} MB in ${packages.length} packages`);
  for (const [name, bytes] of packages.sort(([, a], [, b]) => b - a).slice(0, 8)) {
    console.log(`  ${name.padEnd(36)} ${megabytes(bytes)} MB`);
  }
  check(size < largestInstall, `it weighs less than ${largestInstall} MB`);
}

/** The Node that runs this when it is of that version, else one from the registry. */
function nodeOf(major) {
  if (process.versions.node.split('.')[0] === major) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(place, `node-${major}`);
  mkdirSync(folder);
  run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', `${name}@${major}`], {
    cwd: place,
  });
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** A user with an empty home folder and none of the current environment; `lines` is what their terminal shows. */
function aPerson(name, node) {
  const home = join(place, `home-${name}`);
  mkdirSync(home);
  const kept = Object.entries(process.env).filter(([variable]) => !/^(?:THREADKEEP_|XDG_)/.test(variable));
  const env = {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  };
  const lines = [];
  const threadkeep = (args, { input = '', cwd = home } = {}) => {
    const { status, stdout, stderr } = spawnSync(node, [main, ...args], { cwd, env, input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`threadkeep ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
    lines.push(`$ threadkeep ${args.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')}`);
    lines.push(...stdout.trimEnd().split('\n'));
    return stdout;
  };
  return { home, node, env, lines, threadkeep };
}

async function useWith({ home, node, env, lines, threadkeep }) {
  console.log(`with Node ${run(node, ['--version']).trim()}:`);
  const elsewhere = join(home, 'elsewhere');
  mkdirSync(elsewhere);
  check(
    threadkeep(['--version']).trim() === JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')).version,
    'the version is the one of the package',
  );
  threadkeep(['where']);
  threadkeep(['ingest', '-'], { input: '[{"role":"user","text":"Nora booked a table at Ramiro."}]' });
  check(threadkeep(['search', 'Nora'], { cwd: elsewhere }).includes('Ramiro'), 'another folder has the same memory');
  check(readdirSync(elsewhere).length === 0, 'nothing is left in the working directory');
  const server = spawn(node, [main, 'serve', '--port', '0', '--json'], { cwd: elsewhere, env });
  await once(server.stdout, 'data');
  try {
    writeFileSync(join(home, 'transcript.txt'), 'User: My bicycle is blue.\nAssistant: Noted.\n');
    threadkeep(['import', 'manual', 'transcript.txt']);
    check(threadkeep(['search', 'bicycle']).includes('blue'), 'import and search with a server');
    check(threadkeep(['ask', 'What colour is my bicycle?']).includes('blue'), 'ask with a server');
  } finally {
    server.kill('SIGTERM');
  }
  const [code] = await once(server, 'exit');
  check(code === 0, 'the server ends cleanly');
  threadkeep(['connect', 'claude-code', '--write']);
  threadkeep(['service', 'install', '--no-start']);
  const shown = lines.map((line) => line.replaceAll(home, '~'));
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  check(threadkeep(['mcp'], { input: `${JSON.stringify(hello)}\n` }).includes('"serverInfo"'), 'MCP over stdio');
  return shown;
}

/** The same program as the next version, installed over this one. */
function upgrade({ threadkeep }, tarball) {
  const folder = join(place, 'next');
  mkdirSync(folder);
  run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], { cwd: place });
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const next = description.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version: next }));
  install(pack(folder, '--ignore-scripts'));
  check(threadkeep(['--version']).trim() === next, 'the next version is in its place');
  check(threadkeep(['search', 'Nora']).includes('Ramiro'), 'the memory is there after an upgrade');
  check(threadkeep(['upgrade']).includes(next), 'upgrade says which version this is');
}

function remove({ home, threadkeep }) {
  const { removed, stays } = JSON.parse(threadkeep(['uninstall', '--json']));
  check(
    removed.some((path) => path.endsWith('threadkeep.service')) || process.platform !== 'linux',
    'the service is removed',
  );
  check(!removed.some((path) => existsSync(path)), 'what is said to be removed is gone');
  check(
    stays.some(({ kind, path }) => kind === 'data' && path.startsWith(home) && existsSync(path)),
    'the memory stays',
  );
  run('npm', ['uninstall', '--prefix', prefix, '--no-audit', '--no-fund', '--no-save', 'threadkeep'], { cwd: place });
  check(!existsSync(own), 'the program is gone');
}

/** Between the marks of docs/install.md. */
function writeTranscript(lines) {
  const file = join(root, 'docs', 'install.md');
  const marked = /(<!-- transcript -->\n)[\s\S]*(<!-- end of transcript -->)/;
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(marked, (_, from, to) => `${from}\n\`\`\`console\n${lines.join('\n')}\n\`\`\`\n\n${to}`),
  );
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

function packagesIn(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
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

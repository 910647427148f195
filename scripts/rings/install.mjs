// The package as a new user gets it: packed from this checkout, installed into an empty prefix with an empty home, used
// with Node 20, 22 and 24 on the command line and as a library, upgraded with its data, and removed. Fails loudly when a
// step does.
//   node scripts/rings/install.mjs [--nodes 20,22,24] [--tarball FILE] [--previous FILE] [--transcript] [--keep]
// `--tarball` tries a package that is there already; `--previous` is an older one, with which the memory is made that the
// upgrade must keep (otherwise this one is upgraded to itself with a higher version); `--transcript` writes the run into
// docs/install.md.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
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
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../ready.mjs';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '20,22,24' },
    tarball: { type: 'string' },
    previous: { type: 'string' },
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
    await useWith(person);
    if (major !== majors.at(-1)) continue;
    if (values.previous !== undefined) upgradeFrom(resolve(values.previous), tarball, person);
    upgrade(person, tarball);
    remove(person);
    if (values.transcript) writeTranscript(person);
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
  const threadkeep = (args, { input = '', cwd = home, isShown = true } = {}) => {
    const { status, stdout, stderr } = spawnSync(node, [main, ...args], { cwd, env, input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`threadkeep ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
    if (isShown) {
      const typed = args.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
      lines.push(
        `$ ${input === '' ? '' : `echo '${input}' | `}threadkeep ${typed}`,
        ...stdout.trimEnd().split('\n'),
        '',
      );
    }
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
    lines.push('$ threadkeep serve &', '');
    writeFileSync(join(home, 'transcript.txt'), 'User: My bicycle is blue.\nAssistant: Noted.\n');
    threadkeep(['import', 'manual', 'transcript.txt']);
    const chats = [{ id: 'c', messages: [{ role: 'user', text: 'The spare key is under the third pot.' }] }];
    writeFileSync(join(home, 'chats.json'), JSON.stringify(chats));
    check(threadkeep(['import', 'chats.json']).includes('1 conversation'), 'import as a job of the server');
    check(threadkeep(['search', 'bicycle']).includes('blue'), 'import and search with a server');
    check(threadkeep(['ask', 'What colour is my bicycle?']).includes('blue'), 'ask with a server');
  } finally {
    server.kill('SIGTERM');
  }
  const [code] = await once(server, 'exit');
  check(code === 0, 'the server ends cleanly');
  checkThreeLines(home, node, env);
  threadkeep(['connect', 'claude-code', '--write']);
  threadkeep(['service', 'install', '--no-start']);
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const answer = threadkeep(['mcp'], { input: `${JSON.stringify(hello)}\n`, isShown: false });
  check(answer.includes('"serverInfo"'), 'MCP over stdio');
}

/** The example of docs/sdk.md as it is, in an empty folder below the one the package was installed into. */
function checkThreeLines(home, node, env) {
  const folder = join(prefix, basename(home));
  mkdirSync(folder);
  const program = join(folder, 'three-lines.mjs');
  copyFileSync(join(root, 'scripts', 'rings', 'sdk', 'three-lines.ts'), program);
  const lines = run(node, [program], { cwd: folder, env }).trimEnd().split('\n');
  check(lines[0] === 'My bicycle is blue.' && lines.at(-1).includes('blue'), 'the three lines of the library');
  check(existsSync(join(folder, 'memory')), 'their memory is in the folder they name');
}

/** A memory that an older version made, in a home of its own, opened by this one. */
function upgradeFrom(previous, tarball, { node }) {
  install(previous);
  const { home, threadkeep } = aPerson('before', node);
  const older = threadkeep(['--version']).trim();
  threadkeep(['ingest', '-'], { input: '[{"role":"user","text":"Nora booked a table at Ramiro."}]' });
  check(threadkeep(['search', 'Nora']).includes('Ramiro'), `the previous package (${older}) has a memory`);
  install(tarball);
  check(threadkeep(['search', 'Nora']).includes('Ramiro'), 'this one finds what it stored');
  check(threadkeep(['ask', 'Where did Nora book a table?']).includes('Ramiro'), 'and answers from it');
  threadkeep(['ingest', '-'], { input: '[{"role":"user","text":"My bicycle is blue."}]' });
  check(threadkeep(['search', 'bicycle']).includes('blue'), 'and stores more beside it');
  console.log(`its folder: ${readdirSync(join(home, '.local', 'share', 'threadkeep')).join(', ')}`);
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
  const unit = join(home, '.config', 'systemd', 'user', 'threadkeep.service');
  check(existsSync(unit) || process.platform !== 'linux', 'the service is installed until then');
  const said = threadkeep(['uninstall']);
  check(!existsSync(unit), 'the service is removed');
  const data = join(home, '.local', 'share', 'threadkeep');
  if (process.platform === 'linux') check(said.includes(data) && existsSync(data), 'the memory stays, and is named');
  run('npm', ['uninstall', '--prefix', prefix, '--no-audit', '--no-fund', '--no-save', 'threadkeep'], { cwd: place });
  check(!existsSync(own), 'the program is gone');
}

/** Between the marks of docs/install.md, with the names that a person's own machine would show. */
function writeTranscript({ home, lines }) {
  const file = join(root, 'docs', 'install.md');
  const marked = /(<!-- transcript -->\n)[\s\S]*(<!-- end of transcript -->)/;
  const shown = ['$ npm install -g ./threadkeep-0.2.0.tgz', '', ...lines]
    .map((line) => line.replaceAll(home, '~').replaceAll(modules, '/usr/local/lib/node_modules').trimEnd())
    .join('\n')
    // The whole changelog is in the package.
    .replace(/^(Changes \(.*\)\n)[\s\S]*?(?=\n\n\$ )/m, '$1…')
    .trimEnd();
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(marked, (_, from, to) => `${from}\n\`\`\`console\n${shown}\n\`\`\`\n\n${to}`),
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

// The client of the library outside of Node: in Deno, Bun and Chromium, and in this Node beside them. Each runs the three
// lines of docs/sdk.md and scripts/rings/runtimes/client.ts, with the package as it ships, against a real server of its own.
// Deno and Bun come from npm. A runtime that cannot be had is skipped, with the reason.
//   node scripts/rings/runtimes.mjs
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { makeReady, root } from '../ready.mjs';
import { withEmptyServer } from './empty-server.mjs';

makeReady();
const folder = mkdtempSync(join(tmpdir(), 'threadkeep-runtimes-'));
const failures = [];
try {
  const own = unpackLibrary();
  const suite = readFileSync(join(root, 'test', 'sdk', 'shared-suite.json'), 'utf8');
  const threeLines = readFileSync(join(root, 'scripts', 'rings', 'sdk', 'three-lines.ts'), 'utf8');

  /** All checks, which begin with an empty memory, then the three lines; the last line printed is the report. */
  const programFor = (url, streams) => `
import { checkClient } from './client.mjs';
const report = await checkClient(${JSON.stringify(url)}, ${suite}, { streams: ${streams} });
${threeLines
  .replace("import { openMemory } from 'threadkeep';", "import { connectMemory } from 'threadkeep/client';")
  .replace("await openMemory({ dataDir: './memory' })", `connectMemory(${JSON.stringify(url)})`)}
console.log(JSON.stringify(report));
`;

  const inProcess = async (name, command, ...args) => {
    await withEmptyServer(folder, async (url) => {
      writeFileSync(join(folder, 'main.mjs'), programFor(url, true));
      // Not spawnSync: the log of the server must be read meanwhile.
      const running = spawn(command, [...args, join(folder, 'main.mjs')], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(folder, 'deno') },
      });
      const closed = once(running, 'close');
      const lines = [];
      for await (const line of createInterface({ input: running.stdout })) lines.push(line);
      const [code] = await closed;
      judge(name, code === 0 ? lines : [...lines, `ended with ${code}`]);
    });
  };

  await bundle(join(folder, 'client.mjs'), join(root, 'scripts', 'rings', 'runtimes', 'client.ts'));
  await inProcess(`Node ${process.versions.node}`, process.execPath);
  const deno = fromNpm('deno', '@deno', 'deno');
  // It may open connections to this machine, and nothing else: no files, no variables.
  if (deno) await inProcess(deno.name, deno.file, 'run', '--no-prompt', '--allow-net=127.0.0.1', '--no-lock');
  const bun = fromNpm('bun', '@oven', join('bin', 'bun'));
  if (bun) await inProcess(bun.name, bun.file, 'run', '--no-install');
  await inChromium(programFor, own);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

/** The package as npm would put it there; the client has no dependencies. */
function unpackLibrary() {
  const packed = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ filename, version }] = JSON.parse(packed.stdout);
  const own = join(folder, 'node_modules', 'threadkeep');
  mkdirSync(own, { recursive: true });
  const unpacked = spawnSync('tar', ['-xzf', join(folder, filename), '-C', own, '--strip-components=1']);
  if (unpacked.status !== 0) throw new Error(`${filename} cannot be unpacked`);
  const description = { private: true, type: 'module', dependencies: { threadkeep: version } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
  return own;
}

/** One file of it and what it imports; `threadkeep/client` stays an import unless a folder of the package is given. */
async function bundle(file, input, own) {
  const built = await rolldown({
    input,
    platform: own === undefined ? 'neutral' : 'browser',
    ...(own === undefined ? { external: ['threadkeep/client'] } : { cwd: folder }),
  });
  await built.write({ file, format: 'esm' });
}

/** The program of the package that npm has for this machine; its install script, which looks for it, is not needed. */
function fromNpm(name, scope, program) {
  const prefix = join(folder, name);
  mkdirSync(prefix);
  const args = ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', name];
  const { status } = spawnSync('npm', args, { cwd: prefix, stdio: 'inherit' });
  const packages = join(prefix, 'node_modules', scope);
  const files = status === 0 && existsSync(packages) ? readdirSync(packages) : [];
  for (const file of files.map((each) => join(packages, each, program))) {
    const { status: started, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
    // "deno 2.9.6 (stable, …)" and "1.4.4"
    if (started === 0) return { file, name: `${name} ${/\d+\.\d+\.\d+/.exec(stdout)?.[0]}` };
  }
  console.log(`skipped: ${name}, because npm ${status === 0 ? 'has none that runs here' : 'cannot install it'}`);
  return undefined;
}

/** A page of another origin, with the client bundled into it as a site would. */
async function inChromium(programFor, own) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (executablePath === undefined) {
    console.log('skipped: Chromium, because none is installed (Debian: apt-get install chromium)');
    return;
  }
  let script = '';
  const site = createServer(({ url }, response) => {
    const isScript = url === '/main.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? script : '<!doctype html><title>A site</title><script type="module" src="/main.js"></script>',
    );
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${site.address().port}`;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  try {
    await withEmptyServer(
      folder,
      async (url) => {
        writeFileSync(join(folder, 'page.mjs'), programFor(url, false));
        await bundle(join(folder, 'site', 'main.js'), join(folder, 'page.mjs'), own);
        script = readFileSync(join(folder, 'site', 'main.js'), 'utf8');
        const page = await browser.newPage();
        const lines = [];
        const ended = new Promise((resolve) => {
          page.on('console', (message) => {
            // The browser itself notes each answer that is an error.
            if (message.type() !== 'log') return;
            lines.push(message.text());
            if (message.text().startsWith('{')) resolve();
          });
          page.on('pageerror', (error) => {
            lines.push(String(error));
            resolve();
          });
        });
        await page.goto(origin);
        await ended;
        judge(`Chromium ${browser.version()}`, lines);
      },
      { THREADKEEP_API__CORS_ALLOW_ORIGINS: origin },
    );
  } finally {
    await browser.close();
    site.close();
  }
}

function judge(name, lines) {
  const [last = ''] = lines.slice(-1);
  if (!last.startsWith('{')) {
    failures.push(`${name}: ${lines.join('\n')}`);
    return;
  }
  const report = JSON.parse(last);
  const [answer = ''] = lines.slice(-2);
  if (!lines.includes('My bicycle is blue.') || !answer.includes('blue'))
    failures.push(`${name}: the three lines do not run`);
  failures.push(...report.failures.map((failure) => `${name}: ${failure}`));
  console.log(`${name}: ${report.passed} of ${report.of} calls of the shared suite passed`);
}

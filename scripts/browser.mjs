// The pages, in a real browser: Chromium from the system, driven by Playwright. Fails loudly when there is no Chromium.
//   node scripts/browser.mjs [--screenshots FOLDER]
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { makeReady, root } from './ready.mjs';

makeReady();
const { values } = parseArgs({ options: { screenshots: { type: 'string' } } });
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (executablePath === undefined)
  throw new Error('no Chromium found: install it first (Debian: apt-get install chromium)');

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-browser-'));
const server = spawn(
  process.execPath,
  [join(root, 'dist', 'main.js'), 'serve', '--data', 'data', '--port', '0', '--json'],
  {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  },
);
const url = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(JSON.parse(String(data)).url)));
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});

const checks = {
  async 'the console and the API page load nothing from elsewhere'(page) {
    const foreign = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) foreign.push(request.url());
    });
    await page.goto(`${url}/`);
    await page.getByRole('searchbox').waitFor();
    await page.goto(`${url}/docs`);
    await page.waitForSelector('details');
    expect(await page.title(), 'Threadkeep API');
    expect(foreign.length, 0);
  },
  async 'a conversation can be saved and found from the page'(page) {
    await page.goto(`${url}/docs`);
    expect((await tryCall(page, '/memory/insert')).includes('"embedded_chunks": 2'), true);
    expect((await tryCall(page, '/memory/search')).includes('My sister Nora arrives on Friday.'), true);
  },
  async 'the console finds a conversation as one types and opens it at the turn'(page) {
    await page.goto(`${url}/`);
    await page.getByRole('searchbox').fill('nora arrives');
    await page.locator('[data-result]').first().click();
    await page.locator('.turn.matched', { hasText: 'My sister Nora arrives on Friday.' }).waitFor();
    expect(await page.locator('mark').first().textContent(), 'Nora');
  },
  async 'an error is shown as an error'(page) {
    await page.goto(`${url}/docs`);
    expect((await tryCall(page, '/memory/retrieve')).startsWith('400'), true);
  },
};

let failed = 0;
try {
  for (const [name, check] of Object.entries(checks)) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
    const errors = [];
    page.on('pageerror', (error) => errors.push(error));
    try {
      await check(page);
      if (errors.length > 0) throw errors[0];
      console.log(`ok: ${name}`);
    } catch (error) {
      failed += 1;
      console.error(`failed: ${name}\n`, error);
    }
    if (values.screenshots)
      await page.screenshot({ path: join(values.screenshots, `${name.replace(/\W+/g, '-')}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Opens a call, presses "Try it" and returns what is shown. */
async function tryCall(page, path) {
  const call = page.locator('details', { has: page.locator('summary code', { hasText: path }) }).first();
  await call.locator('summary').click();
  await call.getByRole('button', { name: 'Try it' }).click();
  const output = call.locator('pre');
  await page.waitForFunction((element) => element.textContent.length > 1, await output.elementHandle());
  return output.textContent();
}

function expect(got, wanted) {
  if (got !== wanted) throw new Error(`expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
}

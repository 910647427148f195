// Signing in at /connect in a real browser, through a real OpenID provider, and using what comes of it with the official
// MCP client. Fails loudly when there is no Chromium.
//   node scripts/browser-connect.mjs [--screenshots FOLDER]
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { chromium } from 'playwright-core';
import { startOpenIdProvider } from '../test/support/openid-provider.mjs';
import { makeReady, root } from './ready.mjs';

makeReady();
const { values } = parseArgs({ options: { screenshots: { type: 'string' } } });
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (executablePath === undefined)
  throw new Error('no Chromium found: install it first (Debian: apt-get install chromium)');

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-connect-'));
const provider = await startOpenIdProvider();
const settings = {
  api: {
    auth: 'oauth_resource_server',
    connect: { providers: { acme: { issuer: provider.issuer, ...provider.client } } },
  },
};
writeFileSync(join(folder, 'config.yaml'), JSON.stringify(settings));
const server = spawn(
  process.execPath,
  [join(root, 'dist', 'main.js'), 'serve', '--data', 'data', '--port', '0', '--json'],
  {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  },
);
const url = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(JSON.parse(String(data)).url)));
provider.serve({ redirectUri: `${url}/auth/acme/callback` });

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
});
const context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
const page = await context.newPage();
const problems = [];
page.on('pageerror', (error) => problems.push(error.message));
// Only what our own pages complain about: those of the provider are not ours.
page.on('console', (message) => {
  if (message.type() === 'error' && message.location().url.startsWith(url)) problems.push(message.text());
});

try {
  await step('the page opens without a token and loads nothing from elsewhere', async () => {
    const foreign = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) foreign.push(request.url());
    });
    await page.goto(`${url}/connect`);
    expect(await page.title(), 'Connect · Threadkeep');
    expect(foreign.length, 0);
    page.removeAllListeners('request');
    await shots('signed-out');
  });
  await step('it can be read without script', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const bare = await plain.newPage();
    await bare.goto(`${url}/connect`);
    expect(await bare.getByText(`${url}/mcp`).first().isVisible(), true);
    await bare.getByText('Claude Code', { exact: true }).click();
    expect(await bare.getByText('claude mcp add', { exact: false }).first().isVisible(), true);
    await plain.close();
  });
  await step('a person signs in with the keyboard', async () => {
    await page.getByRole('link', { name: 'Sign in with Acme' }).focus();
    await page.keyboard.press('Enter');
    await passProvider('nora');
    await page.getByText('nora Example').waitFor();
    const [cookie] = (await context.cookies(url)).filter(({ name }) => name.endsWith('session'));
    expect(
      [cookie.name, cookie.httpOnly, cookie.secure, cookie.sameSite].join(' '),
      '__Host-threadkeep_session true true Lax',
    );
  });
  const token = await step('makes a token, which is shown once', async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill('My laptop');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const shown = await page.locator('.fresh code').first().textContent();
    await shots('token');
    await page.goto(`${url}/connect`);
    expect((await page.content()).includes(shown), false);
    return shown;
  });
  await step('the official MCP client uses it', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const client = await connected(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    );
    const saved = await call(client, 'memory_insert', {
      conversation_json: { messages: [{ role: 'user', text: 'My canoe is green.' }] },
    });
    const found = await call(client, 'memory_search', { query: 'canoe' });
    expect(found.results[0].id, saved.id);
    await client.close();
  });
  await step('and is refused once it is revoked', async () => {
    await page.getByRole('button', { name: 'Revoke My laptop' }).click();
    await page.getByText('Nothing is connected yet').waitFor();
    const answer = await fetch(`${url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect(answer.status, 401);
  });
  await step("the SDK's own OAuth client gets in from a bare 401, as the same person", async () => {
    const { authProvider, code, close } = await anApplication();
    const make = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
    const first = make();
    const refused = await connected(first).catch((error) => error);
    expect(refused instanceof UnauthorizedError, true);
    await first.finishAuth(await code);
    const client = await connected(make());
    expect((await call(client, 'memory_search', { query: 'canoe' })).results.length, 1);
    await client.close();
    close();
    await page.goto(`${url}/connect`);
    await page.getByText('An assistant').waitFor();
    await shots('connected');
  });
  await step('nothing went wrong in the browser', async () => expect(problems.join('\n'), ''));
  console.log('all passed');
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
}

async function step(name, run) {
  try {
    const result = await run();
    console.log(`ok: ${name}`);
    return result;
  } catch (error) {
    console.error(`failed: ${name}`);
    throw error;
  }
}

async function passProvider(login) {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** An application as the SDK makes one, with a real place to come back to. The person's part is played by the browser. */
async function anApplication() {
  let arrived;
  const code = new Promise((resolve) => {
    arrived = resolve;
  });
  const listener = createServer((request, response) => {
    const answer = new URL(request.url, 'http://localhost').searchParams.get('code');
    response.end('You can close this page.');
    if (answer) arrived(answer);
  });
  await new Promise((ready) => listener.listen(0, '127.0.0.1', ready));
  const redirectUrl = `http://127.0.0.1:${listener.address().port}/callback`;
  let [information, tokens, verifier] = [];
  const authProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'An assistant', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    clientInformation: () => information,
    saveClientInformation: (given) => {
      information = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    async redirectToAuthorization(address) {
      await page.goto(address.href);
      await page.getByRole('heading', { name: 'Let An assistant use your memory?' }).waitFor();
      await shots('consent');
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByText('You can close this page.').waitFor();
    },
  };
  return { authProvider, code, close: () => listener.close() };
}

async function connected(transport) {
  const client = new Client({ name: 'browser-check', version: '1.0.0' });
  await client.connect(transport);
  return client;
}

async function call(client, name, given) {
  const { structuredContent } = await client.callTool({ name, arguments: given });
  if (structuredContent.status !== 'ok') throw new Error(`${name} answered ${structuredContent.error_code}`);
  return structuredContent;
}

/** The page as it is now, on a phone and a desk, by day and by night. */
async function shots(name) {
  if (values.screenshots === undefined) return;
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const [place, width] of [
      ['phone', 390],
      ['desk', 1100],
    ]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(values.screenshots, `${name}-${place}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.setViewportSize(before);
}

function expect(got, wanted) {
  if (got !== wanted) throw new Error(`expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
}

// The browser companion in a real browser: the extension, a running service, and pages in the shape of the three sites.
//   node scripts/rings/companion.mjs [--screenshots FOLDER]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { buildCompanion } from '../companion.mjs';
import { startServer } from '../console/browser.mjs';
import { makeReady, root } from '../ready.mjs';

const { values } = parseArgs({ options: { screenshots: { type: 'string' }, only: { type: 'string', default: '' } } });
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (executablePath === undefined)
  throw new Error('no Chromium found: install it first (Debian: apt-get install chromium)');
makeReady();
if (values.screenshots !== undefined) mkdirSync(values.screenshots, { recursive: true });

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-companion-'));
/** What the sites answer with: ours, in their shape. A check may change it, as a conversation grows. */
const pages = Object.fromEntries(
  ['chatgpt', 'claude', 'gemini'].map((site) => [
    site,
    readFileSync(join(root, 'test', 'companion', 'pages', `${site}.html`), 'utf8'),
  ]),
);
const addresses = {
  chatgpt: 'https://chatgpt.com/c/6743-canoe',
  claude: 'https://claude.ai/chat/0b1c-lighthouse',
  gemini: 'https://gemini.google.com/app/9f8e7d',
};
let passed = 0;
let failed = 0;

try {
  const extension = await buildCompanion({ out: join(folder, 'extension'), granted: true });
  const open = await serviceIn('open', 'storage:\n  allow_trusted_appends: true\n');
  await inBrowser(extension, { locale: 'en-GB' }, async (parts) => {
    await theThreeSites({ ...parts, service: open });
    await growing({ ...parts, service: open });
    await automatically({ ...parts, service: open });
    await mistakes({ ...parts, service: open });
  });
  await open.stop();
  const closed = await serviceIn('closed', 'api:\n  auth: bearer_token\n', tokens);
  const german = await buildCompanion({ out: join(folder, 'german'), granted: true, language: 'de' });
  await inBrowser(german, { locale: 'de-DE', colorScheme: 'dark' }, (parts) =>
    withTokens({ ...parts, service: closed }),
  );
  await closed.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function theThreeSites({ popupOn, service, options, shoot }) {
  await check('the options page keeps an address and tests it', async () => {
    const page = await options();
    await page.locator('#address').fill(`${service.url}/`);
    await page.locator('[type=submit]').click();
    await page.getByText('Settings saved.').waitFor();
    expect(await page.locator('#address').inputValue(), service.url);
    await page.locator('#test').click();
    await page.getByText('Works:').waitFor();
    await shoot(page, 'options');
    await page.close();
  });
  const wanted = {
    chatgpt: ['Repairing the blue canoe', 'ChatGPT · 3 messages', '2 messages could not be read', 'quagmire sealant'],
    claude: ['Naming a lighthouse', 'Claude · 3 messages', '1 message could not be read', 'Emberwatch it is'],
    gemini: ['Sourdough for beginners', 'Gemini · 3 messages', '1 message could not be read', 'crumpet starter'],
  };
  for (const [site, [title, found, unread, words]] of Object.entries(wanted)) {
    await check(`${site}: shows what it found, saves it, and saves nothing the second time`, async () => {
      const popup = await popupOn(site);
      await popup.getByRole('heading', { name: title }).waitFor();
      expect(await popup.locator('#found').textContent(), found);
      expect((await popup.locator('#note').textContent()).startsWith(unread), true);
      await shoot(popup, `popup-${site}-found`);
      await popup.locator('#save').click();
      await popup.getByText('Saved 3 messages.').waitFor();
      await shoot(popup, `popup-${site}-saved`);
      await popup.locator('#save').click();
      await popup.getByText('Nothing new').waitFor();
      const { results } = await service.search(words);
      expect(results[0]?.text.includes(words), true);
      expect(results[0]?.conversation.source, site);
      expect(results[0]?.conversation.title, title);
      expect(results[0]?.conversation.metadata.save_intent, 'explicit_user_request');
    });
  }
  await check('code keeps its language and its lines', async () => {
    const { results } = await service.search('resin grams return');
    expect(
      results.some(({ text }) => text.includes('```python\ndef resin(grams):\n    return grams * 2 / 3\n```')),
      true,
    );
  });
}

async function growing({ popupOn, service }) {
  await check('a conversation that grew is continued, not stored twice', async () => {
    grow('claude', '<div data-testid="user-message"><p>Who paints the zeppelin hangar?</p></div>');
    const popup = await popupOn('claude');
    await popup.locator('#save').click();
    await popup.getByText('Saved 1 new message.').waitFor();
    const { results: stored } = await service.call('POST', '/memory/conversations/list', { source: 'claude' });
    expect(stored.length, 1);
    const { results } = await service.search('zeppelin hangar');
    expect(results[0]?.text, 'Who paints the zeppelin hangar?');
  });
  await check('an answer that is still being written is not saved', async () => {
    grow('gemini', '<model-response><message-content><div class="markdown" aria-busy="true">We');
    const popup = await popupOn('gemini');
    await popup.getByText('still being written').waitFor();
    expect(await popup.locator('#save').isVisible(), false);
  });
}

async function automatically({ popupOn, page, service }) {
  await check('automatic saving, once it is turned on, saves without a click', async () => {
    const popup = await popupOn('chatgpt');
    await popup.locator('#switch').check();
    await page.bringToFront();
    await page.evaluate(() => {
      const turn = document.createElement('article');
      turn.dataset.testid = 'conversation-turn-6';
      turn.innerHTML =
        '<div data-message-author-role="user"><div class="whitespace-pre-wrap">I bought a xylophone</div></div>';
      document.querySelector('main').append(turn);
    });
    await until(async () => (await service.search('xylophone')).results[0]?.text === 'I bought a xylophone');
    const { results: stored } = await service.call('POST', '/memory/conversations/list', { source: 'chatgpt' });
    expect(stored.length, 1);
  });
}

async function mistakes({ popupOn, options, service, shoot, page }) {
  await check('another address is refused before anything is sent', async () => {
    const settings = await options();
    for (const [address, words] of [
      ['http://example.com', 'only to this computer'],
      ['ftp://127.0.0.1', 'not valid'],
      ['http://127.0.0.1.evil.example:8000', 'only to this computer'],
    ]) {
      await settings.locator('#address').fill(address);
      await settings.locator('[type=submit]').click();
      await settings.locator('#result.bad').getByText(words).waitFor();
    }
    await settings.reload();
    expect(await settings.locator('#address').inputValue(), service.url);
    await settings.close();
  });
  await check('a page of no known site says what to open', async () => {
    const popup = await popupOn('nowhere');
    await popup.getByText('Open a conversation on').waitFor();
  });
  await check('a page of another site cannot call the service as the companion does', async () => {
    await page.goto(addresses.chatgpt);
    const answer = await page.evaluate(async (url) => {
      const body = JSON.stringify({ messages: [{ role: 'user', text: 'planted' }] });
      const headers = { 'content-type': 'application/json' };
      return await fetch(`${url}/memory/insert`, { method: 'POST', headers, body }).then(
        ({ status }) => status,
        () => 'refused',
      );
    }, service.url);
    expect(answer, 'refused');
  });
  await check('a service that is not running is named, with what to do', async () => {
    await service.stop();
    const popup = await popupOn('claude');
    await popup.locator('#save').click();
    await popup.getByText('Start it with').waitFor();
    await shoot(popup, 'popup-not-running');
  });
}

async function withTokens({ popupOn, options, service, shoot }) {
  await check('a missing, a wrong and a reading token are told apart (in German)', async () => {
    const page = await options();
    await page.locator('#address').fill(service.url);
    for (const [token, words] of [
      ['', 'verlangt ein Token'],
      ['nonsense', 'falsch, abgelaufen oder widerrufen'],
      [service.tokens.reading, 'darf nicht schreiben'],
    ]) {
      await page.locator('#token').fill(token);
      await page.locator('#test').click();
      await page.locator('#result.bad').getByText(words).waitFor();
      await page.locator('[type=submit]').click();
      await page.getByText('Einstellungen gespeichert.').waitFor();
      const popup = await popupOn('claude');
      await popup.locator('#save').click();
      await popup.locator('#result.bad').getByText(words).waitFor();
    }
    await shoot(page, 'options-german-dark');
    await page.close();
  });
  await check('a token that may only write is enough', async () => {
    const page = await options();
    await page.locator('#token').fill(service.tokens.writing);
    await page.locator('[type=submit]').click();
    await page.getByText('Einstellungen gespeichert.').waitFor();
    await page.locator('#test').click();
    await page.getByText('Alles in Ordnung').waitFor();
    await page.close();
    const popup = await popupOn('claude');
    await popup.locator('#save').click();
    await popup.getByText('4 Nachrichten gesichert.').waitFor();
    await shoot(popup, 'popup-german-dark');
  });
  await check('a service that does not append is told of', async () => {
    grow('claude', '<div data-testid="user-message"><p>One more</p></div>');
    const popup = await popupOn('claude');
    await popup.locator('#save').click();
    await popup.getByText('allow_trusted_appends').waitFor();
  });
}

function grow(site, html) {
  pages[site] = pages[site].replace('</body>', `${html}</body>`);
}

/** Runs the extension in a browser whose sites are our pages; nothing else can be reached. */
async function inBrowser(extension, options, run) {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: 900, height: 900 },
    ...options,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  });
  try {
    context.setDefaultTimeout(15_000);
    await context.route(/^https:/, (route) => {
      const { hostname } = new URL(route.request().url());
      const site = Object.keys(addresses).find((name) => new URL(addresses[name]).hostname === hostname);
      return route.fulfill({ contentType: 'text/html', body: site === undefined ? 'Nothing here' : pages[site] });
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const page = context.pages()[0] ?? (await context.newPage());
    const own = `chrome-extension://${new URL(worker.url()).host}`;
    const optionsPage = async () => {
      const opened = await context.newPage();
      await opened.goto(`${own}/options.html`);
      return opened;
    };
    const popupOn = async (site) => {
      await page.bringToFront();
      await page.goto(addresses[site] ?? 'https://nowhere.example/');
      for (const old of context.pages()) if (old.url().endsWith('/popup.html')) await old.close();
      // A tab behind the page stands for the popup over it: no person is here to click the toolbar button.
      const [popup] = await Promise.all([
        context.waitForEvent('page'),
        worker.evaluate((url) => globalThis.chrome.tabs.create({ url, active: false }), `${own}/popup.html`),
      ]);
      return popup;
    };
    const shoot = async (shown, name) => {
      if (values.screenshots === undefined) return;
      await shown.screenshot({ path: join(values.screenshots, `${name}.png`) });
    };
    await run({ context, page, worker, popupOn, options: optionsPage, shoot });
  } finally {
    await context.close();
  }
}

/** A running service in a folder of its own. */
async function serviceIn(name, config, prepare) {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'config.yaml'), `${config}models:\n  tagger: false\n  reader: false\n`);
  const prepared = prepare?.(place);
  const { url, stop } = await startServer(place);
  let stopped;
  const call = async (method, path, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  return {
    url,
    tokens: prepared,
    call,
    search: (query) => call('POST', '/memory/search', { query }),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function tokens(place) {
  const threadkeep = (...args) => {
    const main = join(root, 'dist', 'main.js');
    const out = execFileSync(process.execPath, [main, ...args, '--data', 'data', '--json'], { cwd: place });
    return JSON.parse(String(out));
  };
  threadkeep('admin', 'user', 'create', 'nora');
  const make = (scope) =>
    threadkeep('admin', 'token', 'create', '--user', 'nora', '--display-name', scope, '--scopes', scope).token;
  return { reading: make('memory:read'), writing: make('memory:write') };
}

async function until(condition) {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not come true within a minute');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function check(name, run) {
  if (!name.includes(values.only)) return;
  try {
    await run();
    passed += 1;
    console.log(`ok: ${name}`);
  } catch (error) {
    failed += 1;
    console.error(`failed: ${name}\n `, error.message);
  }
}

function expect(got, wanted) {
  if (got !== wanted) throw new Error(`expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
}

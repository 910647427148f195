import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The readers need a real document, so they run in Chromium, on pages that we wrote in the shape of the three sites. */
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Read {
  title?: string;
  threadId?: string;
  messages: { role: string; text: string }[];
  unreadable: number;
  unfinished: boolean;
}

const fixture = (name: string) => readFileSync(new URL(`./pages/${name}.html`, import.meta.url), 'utf8');
const chatgpt = 'https://chatgpt.com/c/6743-canoe';
const claude = 'https://claude.ai/chat/0b1c-lighthouse';
const gemini = 'https://gemini.google.com/app/9f8e7d';

describe.skipIf(executablePath === undefined)('the readers of the companion', () => {
  const out = mkdtempSync(join(tmpdir(), 'threadkeep-readers-'));
  let browser: Browser;
  beforeAll(async () => {
    execFileSync(process.execPath, [join(root, 'scripts', 'companion.mjs'), '--out', out], { stdio: 'ignore' });
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(out, { recursive: true, force: true });
  });

  async function read(html: string, address: string): Promise<Read> {
    const page = await browser.newPage();
    try {
      await page.route('**/*', (route) => route.abort());
      await page.setContent(html);
      await page.addScriptTag({ path: join(out, 'inject-reader.js') });
      return (await page.evaluate(`threadkeepReadPage(${JSON.stringify(address)})`)) as Read;
    } finally {
      await page.close();
    }
  }

  it('read a ChatGPT page: Markdown, code, tables and formulas, and count what they cannot', async () => {
    const answer = [
      '## What you need',
      'For a crack of **12 cm** use *marine* epoxy; see [this guide](https://example.com/epoxy).',
      '1. Sand the `bow`\n2. Mix the resin\n   - two parts resin\n   - one part hardener',
      '```python\ndef resin(grams):\n    return grams * 2 / 3\n```',
      '| Part | Amount |\n|---|---|\n| Resin | 200 g |\n| A \\| B | 100 g |',
      'The share is $x = \\frac{2}{3}$.',
      '> Wear gloves.',
    ].join('\n\n');
    expect(await read(fixture('chatgpt'), chatgpt)).toEqual({
      title: 'Repairing the blue canoe',
      threadId: '6743-canoe',
      messages: [
        { role: 'user', text: 'My canoe has a crack near the bow.\nIt is about 12 cm long.\n\nWhat do I need?' },
        { role: 'assistant', text: answer },
        { role: 'assistant', text: 'The quagmire sealant from the picture works too.' },
      ],
      unreadable: 2,
      unfinished: false,
    });
  });

  it('read a Claude page, without the thinking, and count an answer of unknown shape', async () => {
    expect(await read(fixture('claude'), claude)).toEqual({
      title: 'Naming a lighthouse',
      threadId: '0b1c-lighthouse',
      messages: [
        { role: 'user', text: 'Our lighthouse needs a name.\nTwo words at most.\n\nIt is painted vermilion.' },
        {
          role: 'assistant',
          text: 'Two ideas:\n\n- Vermilion Point\n- Emberwatch\n\n```json\n{ "name": "Emberwatch" }\n```',
        },
        { role: 'user', text: 'Emberwatch it is.' },
      ],
      unreadable: 1,
      unfinished: false,
    });
  });

  it('read a Gemini page, without the thinking, and count an answer that was not loaded', async () => {
    expect(await read(fixture('gemini'), gemini)).toEqual({
      title: 'Sourdough for beginners',
      threadId: '9f8e7d',
      messages: [
        { role: 'user', text: 'How warm should the dough be?\n\nMy kitchen is at 19 degrees.' },
        {
          role: 'assistant',
          text: [
            'Aim for **24 to 26 degrees**.',
            'Warm the water: $2 \\cdot 25 - 19$.',
            '```bash\necho "31 degrees"\n```',
          ].join('\n\n'),
        },
        { role: 'user', text: 'And the crumpet starter?' },
      ],
      unreadable: 1,
      unfinished: false,
    });
  });

  it.each([
    ['ChatGPT', 'chatgpt', chatgpt, '</main>', '<button data-testid="stop-button"></button></main>'],
    ['Claude', 'claude', claude, 'data-is-streaming="false"', 'data-is-streaming="true"'],
    ['Gemini', 'gemini', gemini, 'aria-busy="false"', 'aria-busy="true"'],
  ])('see that %s is still writing', async (_, name, address, before, after) => {
    expect((await read(fixture(name).replace(before, after), address)).unfinished).toBe(true);
  });

  it.each([
    ['https://chatgpt.com/', undefined],
    ['https://chatgpt.com/g/g-abc-cook/c/77-x', '77-x'],
    ['https://chatgpt.com/?temporary-chat=true', undefined],
    ['https://claude.ai/new', undefined],
    ['https://claude.ai/chat/77-x?q=1', '77-x'],
    ['https://gemini.google.com/app', undefined],
    ['https://gemini.google.com/u/1/app/77ab', '77ab'],
    ['https://gemini.google.com/gem/cook/77ab', '77ab'],
  ])('take the thread from %s', async (address, threadId) => {
    const empty = { messages: [], unreadable: 0, unfinished: false };
    expect(await read('<p>Loading</p>', address)).toEqual(threadId === undefined ? empty : { threadId, ...empty });
  });

  it('fence code that holds a fence, and leave out buttons', async () => {
    const html =
      '<div data-message-author-role="assistant"><div class="markdown"><pre><button>Copy</button><code>```\nx\n```</code></pre></div></div>';
    expect((await read(html, chatgpt)).messages).toEqual([{ role: 'assistant', text: '````\n```\nx\n```\n````' }]);
  });

  it('read nothing on another site', async () => {
    expect(await read(fixture('chatgpt'), 'https://chatgpt.com.evil.example/c/1')).toBeUndefined();
  });
});

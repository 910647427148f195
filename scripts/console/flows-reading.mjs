// Reading a conversation, and the keys around it.
import { madeUp } from './seed.mjs';

/** The first conversation with a title, opened. */
async function open({ page, at, url }, title, params = {}) {
  const answer = await page.request.post(`${url}/memory/search`, {
    data: { query: `title:"${title}"`, include_messages: false },
  });
  const [{ id }] = (await answer.json()).results;
  await page.goto(at('search', { open: id, ...params }));
  await page.locator('.pane .turn').first().waitFor();
  return id;
}

const marked = (page, name) =>
  page.evaluate((which) => [...(CSS.highlights.get(which) ?? [])].map((range) => range.toString()), name);

/** Whether the first mark of this name can be seen below the head of the pane. */
const inSight = (page, name) =>
  page.waitForFunction((which) => {
    const [range] = CSS.highlights.get(which) ?? [];
    const { top } = range?.getBoundingClientRect() ?? { top: -1 };
    return top > 100 && top < innerHeight;
  }, name);

export const readingFlows = {
  async 'a message is read as Markdown, or as it was typed'(parts) {
    const { page, expect } = parts;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(parts, 'Sorting a shelf');
    const message = page.locator('[data-turn="1"]');
    for (const part of ['h4', 'strong', 'em', 'del', 'ol ul li', 'table td', 'blockquote blockquote', 'details', 'hr'])
      await message.locator(part).first().waitFor();
    expect(await message.locator('.task').count(), 2);
    const link = message.locator('a', { hasText: 'link' });
    expect(await link.getAttribute('href'), 'https://example.org/shelf');
    expect(await link.getAttribute('rel'), 'noopener noreferrer nofollow');
    expect(await link.getAttribute('target'), '_blank');
    await message.locator('.hljs-keyword').first().waitFor();
    await message.locator('math').first().waitFor();
    expect(await message.locator('.maths').count(), 2);
    expect((await message.textContent()).includes('the price is $5 or $6'), true);
    expect((await message.textContent()).includes('<b>Typed as HTML</b>'), true);
    await message.getByRole('button', { name: 'Copy code' }).click();
    expect((await page.evaluate(() => navigator.clipboard.readText())).startsWith('// The widest'), true);
    await page.getByRole('button', { name: 'Raw text' }).click();
    expect((await message.locator('.as-typed').textContent()).startsWith('# Sorting a shelf'), true);
  },
  async 'each message has the time it was said at here'(parts) {
    const { page, expect } = parts;
    await open(parts, 'Sorting a shelf');
    const here = await page.evaluate(() =>
      new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date('2026-10-20T08:02:00Z')),
    );
    expect(await page.locator('[data-turn="1"] time').textContent(), here);
    expect(await page.locator('.day-line').count(), 2);
  },
  async 'the passage that matched is scrolled to and marked, also deep in code'({ page, at, expect }) {
    await page.goto(at('search', { q: 'marlinspike overheated' }));
    await page.locator('[aria-busy=false] [data-result]').first().click();
    await page.locator('.turn.matched').waitFor();
    await inSight(page, 'match');
    expect((await marked(page, 'match')).join(), 'marlinspike,overheated');
    await page.reload();
    await inSight(page, 'match');
  },
  async 'three thousand messages open at once, and only some are drawn'(parts) {
    const { page, expect } = parts;
    await open(parts, 'Three thousand messages', { at: '2001' });
    await page.locator('[data-turn="2001"]').waitFor();
    expect((await page.locator('.pane .turn').count()) < 100, true);
    const milliseconds = await page.evaluate(async () => {
      const [here] = location.hash.split('&at=');
      history.replaceState(null, '', '#/search');
      dispatchEvent(new HashChangeEvent('hashchange'));
      while (document.querySelector('.pane') !== null) await new Promise(requestAnimationFrame);
      const from = performance.now();
      location.hash = `${here}&at=1500`;
      while (document.querySelector('[data-turn="1500"]') === null) await new Promise(requestAnimationFrame);
      return performance.now() - from;
    });
    console.log(`  opened after ${milliseconds.toFixed(0)} ms (wanted: 300)`);
    // Three times as much is allowed where several things run on one machine.
    expect(milliseconds < 900, true);
    const { frames, worst } = await page.evaluate(async () => {
      const pane = document.querySelector('.pane');
      pane.scrollTop = 0;
      let [last, worst] = [performance.now(), 0];
      for (let frame = 0; frame < 60; frame += 1) {
        await new Promise(requestAnimationFrame);
        worst = Math.max(worst, performance.now() - last);
        last = performance.now();
        pane.scrollTop += 150;
      }
      return { frames: pane.scrollTop, worst };
    });
    console.log(`  the slowest of 60 frames took ${worst.toFixed(0)} ms`);
    expect(frames > 5_000, true);
  },
  async 'find goes from match to match, wherever they are'(parts) {
    const { page, expect } = parts;
    await open(parts, 'Three thousand messages');
    await page.keyboard.press('Control+f');
    await page.locator('.find-bar input:focus').waitFor();
    await page.keyboard.type('QUILLWORT');
    await page.locator('.find-bar', { hasText: '1 of 2' }).waitFor();
    await page.locator('[data-turn="1044"]').waitFor();
    await inSight(page, 'current');
    await page.keyboard.press('Enter');
    await page.locator('.find-bar', { hasText: '2 of 2' }).waitFor();
    await page.locator('[data-turn="2346"]').waitFor();
    await inSight(page, 'current');
    expect((await marked(page, 'current')).join(), 'quillwort');
    await page.keyboard.press('Shift+Enter');
    await page.locator('[data-turn="1044"]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.find-bar').waitFor({ state: 'detached' });
    expect(await page.locator('.pane').count(), 1);
  },
  async 'a conversation is renamed and tagged where it is read'(parts) {
    const { page, url } = parts;
    const { tags: _, ...one } = madeUp(30_000_000);
    await page.request.post(`${url}/memory/insert`, { data: { ...one, title: 'To be renamed' } });
    await open(parts, 'To be renamed');
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('New title').fill('Renamed by hand');
    await page.keyboard.press('Enter');
    await page.locator('.pane h2', { hasText: 'Renamed by hand' }).waitFor();
    await page.getByRole('button', { name: '+ Tag' }).click();
    await page.keyboard.type('kept apart');
    await page.keyboard.press('Enter');
    await page.locator('.pane .chip', { hasText: '#kept apart' }).waitFor();
    await page.reload();
    await page.locator('.pane h2', { hasText: 'Renamed by hand' }).waitFor();
    await page.getByRole('button', { name: 'Remove: #kept apart' }).click();
    await page.locator('.pane .chip', { hasText: '#kept apart' }).waitFor({ state: 'detached' });
    const download = page.waitForEvent('download');
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Save as Markdown' }).click();
    if ((await download).suggestedFilename() !== 'renamed-by-hand.md') throw new Error('another file name');
  },
  async 'forgetting one conversation waits, can be taken back, and is done'(parts) {
    const { page, url, expect } = parts;
    const { tags: _, ...one } = madeUp(30_000_001);
    await page.request.post(`${url}/memory/insert`, { data: { ...one, title: 'To be forgotten' } });
    const id = await open(parts, 'To be forgotten');
    const there = async () => (await page.request.post(`${url}/memory/retrieve`, { data: { id } })).status() === 200;
    const forget = async () => {
      await page.locator('.menu summary').click();
      await page.getByRole('button', { name: 'Forget this conversation' }).click();
      await page.locator('.pane-step .danger').click();
      await page.locator('.toast', { hasText: 'To be forgotten' }).waitFor();
      await page.locator('.pane').waitFor({ state: 'detached' });
    };
    await forget();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.toast').waitFor({ state: 'detached' });
    expect(await there(), true);
    await open(parts, 'To be forgotten');
    await forget();
    // Leaving the page erases at once what was to be erased.
    const erased = page.waitForResponse((response) => response.url().endsWith('/memory/forget'));
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    await erased;
    expect(await there(), false);
  },
  async 'Enter never opens what an older query found'({ page, at, expect }) {
    await page.goto(at('search', { q: 'sourdough' }));
    await page.locator('[aria-busy=false] [data-result]').first().waitFor();
    const sent = page.waitForRequest((request) => request.postData()?.includes('marlinspike') ?? false);
    await page.route('**/memory/search', async (route) => {
      // The answer comes well after the key.
      await page.waitForFunction(() => window.pressed === true);
      await route.continue();
    });
    await page.locator('.query').fill('marlinspike overheated');
    await sent;
    await page.keyboard.press('Enter');
    expect(await page.locator('.pane').count(), 0);
    await page.evaluate(() => {
      window.pressed = true;
    });
    await page.locator('.pane h2', { hasText: 'A log with one odd line' }).waitFor();
  },
  async 'the keyboard reads what is open, goes on, closes and clears'({ page, at, expect }) {
    await page.goto(at('search'));
    await page.keyboard.press('/');
    await page.keyboard.type('telescope');
    await page.locator('[aria-busy=false] [data-result]').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.turn.matched').waitFor();
    await page.waitForFunction(() => document.activeElement?.classList.contains('pane'));
    const first = page.url();
    await page.keyboard.press('j');
    await page.waitForFunction((before) => location.href !== before, first);
    await page.keyboard.press('k');
    await page.waitForFunction((before) => location.href === before, first);
    await page.keyboard.press('Escape');
    await page.locator('.pane').waitFor({ state: 'detached' });
    expect(await page.locator('.query').inputValue(), 'telescope');
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-result'));
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.query').value === '');
    await page.waitForFunction(() => document.activeElement?.classList.contains('query'));
  },
  async 'the palette goes to views, conversations and searches'({ page, at, expect }) {
    await page.goto(at('health'));
    await page.locator('h1').waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('.palette input').waitFor();
    await page.keyboard.type('timel');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Timeline', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('.palette [role=option]', { hasText: 'note' }).first().waitFor();
    await page.keyboard.type('zebra crossing');
    await page.keyboard.press('Enter');
    await page.locator('.query').waitFor();
    expect(await page.locator('.query').inputValue(), 'zebra crossing');
  },
  async 'operators are completed, shown and taken away'({ page, at, expect }) {
    await page.goto(at('search'));
    await page.keyboard.press('/');
    await page.keyboard.type('telescope sour');
    await page.locator('.completions button', { hasText: 'source:' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('claud');
    await page.locator('.completions button', { hasText: 'source:claude' }).first().waitFor();
    await page.keyboard.press('Tab');
    await page.locator('.understood .chip', { hasText: 'claude' }).waitFor();
    await page.keyboard.type('has:x');
    await page.locator('.understood .wrong').waitFor();
    await page.getByText('Correct or remove').waitFor();
    await page.getByRole('button', { name: 'Remove: has:x' }).click();
    await page.locator('[aria-busy=false] [data-result]').first().waitFor();
    const sources = await page.locator('.result .source').allTextContents();
    expect(
      sources.every((source) => source.endsWith('claude')),
      true,
    );
  },
  async 'results are sorted, and weak ones are told apart'({ page, at, expect }) {
    await page.goto(at('search', { q: 'marlinspike overheated' }));
    await page.locator('.divider').waitFor();
    await page.goto(at('search', { q: 'telescope' }));
    await page.locator('[aria-busy=false] [data-result]').first().waitFor();
    await page.getByLabel('Order').selectOption('oldest');
    await page.waitForFunction(() => location.hash.includes('sort=oldest'));
    await page.locator('[aria-busy=false] [data-result]').first().waitFor();
    const times = await page.locator('.result time').evaluateAll((all) => all.map((time) => time.dateTime));
    expect(times.join(), [...times].sort().join());
  },
  async 'a citation opens beside the answer, and going back asks nothing'({ page, at, expect }) {
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/memory/ask')) asked += 1;
    });
    await page.goto(at('ask', { q: 'Where do I live?' }));
    await page.locator('.answer', { hasText: 'Lisbon' }).waitFor({ timeout: 60_000 });
    await page.locator('.answer .marker', { hasText: '[1]' }).click();
    await page.locator('.turn.matched').waitFor();
    await page.locator('.answer', { hasText: 'Lisbon' }).waitFor();
    await page.waitForFunction(() => [...(CSS.highlights.get('passage') ?? [])].length === 1);
    expect((await marked(page, 'passage')).join().startsWith('I moved to Lisbon'), true);
    await page.goBack();
    await page.locator('.pane').waitFor({ state: 'detached' });
    await page.evaluate(() => {
      location.hash = '#/facts';
    });
    await page.locator('.fact-group').first().waitFor();
    await page.goBack();
    await page.locator('.answer', { hasText: 'Lisbon' }).waitFor();
    expect(asked, 1);
  },
  async 'two branches of a thread are read side by side, from where they part'({ page, at, url, expect }) {
    const begin = [
      { role: 'user', text: 'Which hinge for the gate?' },
      { role: 'assistant', text: 'Steel or brass.' },
    ];
    const ids = [];
    for (const [title, text] of [
      ['Gate in steel', 'Steel then.'],
      ['Gate in brass', 'Brass then.'],
    ]) {
      const messages = [...begin, { role: 'user', text }];
      const data = { source: 'notes', title, messages, metadata: { thread_id: 'gate-thread' } };
      ids.push((await (await page.request.post(`${url}/memory/insert`, { data })).json()).id);
    }
    await page.goto(at('search', { open: ids[0] }));
    await page.getByRole('button', { name: 'Side by side: Gate in brass' }).click();
    const both = page.getByRole('region', { name: 'Side by side' });
    await both.getByText('They share the first 2 messages.').waitFor();
    expect(
      await both
        .locator('.beside')
        .allTextContents()
        .then((texts) => texts.length),
      2,
    );
    await both.getByText('Brass then.').waitFor();
    await both.getByText('Steel then.').waitFor();
    await both.getByRole('button', { name: 'Close' }).click();
    await both.waitFor({ state: 'detached' });
  },
  async 'the tab says where one is'(parts) {
    const { page, at, expect } = parts;
    await page.goto(at('search', { q: 'telescope' }));
    await page.waitForFunction(() => document.title === 'telescope · Search · Threadkeep');
    await open(parts, 'Sorting a shelf');
    await page.waitForFunction(() => document.title === 'Sorting a shelf · Threadkeep');
    await page.goto(at('facts'));
    await page.waitForFunction(() => document.title === 'Facts · Threadkeep');
    expect(true, true);
  },
};

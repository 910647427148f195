// What became of each import, also after the page was closed.
import { madeUp } from './seed.mjs';

const linesOf = (from, count) =>
  Array.from({ length: count }, (_, index) => {
    const { tags: _tags, ...one } = madeUp(from + index);
    return JSON.stringify(one);
  });

const file = (name, lines) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) });

/** Moves the focus with Tab, as somebody without a mouse does, until it is on what has this name. */
async function tabTo(page, name, within = 'body') {
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate((place) => {
      const focused = document.activeElement?.closest(place) && document.activeElement;
      const labelled = focused?.labels?.[0]?.textContent ?? focused?.getAttribute('aria-label');
      return (labelled || focused?.textContent || '').trim();
    }, within);
    if (label.startsWith(name)) return;
  }
  throw new Error(`Tab does not reach "${name}"`);
}

export const importFlows = {
  async 'imports: a file is brought in and what it held forgotten with the keyboard alone'({ page, at, expect }) {
    // Asked for first: the browser tells of choosers only once it has been told to, which a key pressed at once outruns.
    const asked = page.waitForEvent('filechooser');
    await page.goto(at('keep'));
    await page.waitForLoadState('networkidle');
    await tabTo(page, 'Drop files here, or choose them');
    await page.keyboard.press('Enter');
    await (await asked).setFiles(file('keys.jsonl', linesOf(25_000_000, 2)));
    await page.locator('[data-import]', { hasText: '2 new' }).first().waitFor();
    await page.locator('.forget option', { hasText: 'keys.jsonl' }).waitFor({ state: 'attached' });
    await tabTo(page, 'Import', '.forget');
    await page.keyboard.type('keys');
    await tabTo(page, 'Preview');
    await page.keyboard.press('Enter');
    await page.locator('.forget').getByText('2 conversations with').waitFor();
    await tabTo(page, 'Forget permanently');
    await page.keyboard.press('Enter');
    await page.locator('.toast', { hasText: 'Forgetting “2 conversations”' }).waitFor();
    await tabTo(page, 'Forget now');
    await page.keyboard.press('Enter');
    await page
      .getByText(/Forgotten: 2 conversations and \d+ facts?\./)
      .first()
      .waitFor();
    expect(await page.evaluate(() => document.activeElement !== document.body), true);
  },
  async 'imports: the history tells what came of a file, and what was left out and why'({ page, at, expect }) {
    await page.goto(at('keep'));
    const broken = JSON.stringify({ source: 'notes', messages: [] });
    await page.locator('input[type=file]').setInputFiles(file('history.jsonl', [...linesOf(21_000_000, 3), broken]));
    const job = page.locator('[data-job]', { hasText: 'history.jsonl' }).first();
    await job.getByText('3 new, 0 continued, 0 known, 1 left out').waitFor();
    await page.reload();
    await job.locator('.state', { hasText: 'Done' }).waitFor();
    await job.getByText('Details').click();
    await job.getByText('Conversations left out').waitFor();
    expect(
      await job
        .locator('.reasons li')
        .first()
        .textContent()
        .then((text) => text.startsWith('1 × ')),
      true,
    );
  },
  async 'imports: a file sent by another program is there too, with where it ends in the middle'({ page, at, url }) {
    const data = Buffer.from(`[${linesOf(21_500_000, 1)[0]}, {"source": "no`);
    await page.request.post(`${url}/memory/imports?format=json&filename=cut.json`, {
      data,
      headers: { 'content-type': 'application/octet-stream' },
    });
    await page.goto(at('keep'));
    const job = page.locator('[data-job]', { hasText: 'cut.json' });
    await job.locator('.state', { hasText: 'Done' }).waitFor();
    await job.getByText('Details').click();
    await job.getByText('1 × the file ends in the middle').waitFor();
  },
  async 'imports: one is undone after showing what would go, and can be imported again'({ page, at }) {
    await page.goto(at('keep'));
    const mistake = file('mistake.jsonl', linesOf(23_000_000, 3));
    await page.locator('input[type=file]').setInputFiles(mistake);
    const job = page.locator('[data-job]', { hasText: 'mistake.jsonl' }).first();
    await job.getByRole('button', { name: 'Undo this import: mistake.jsonl' }).click();
    await job.getByText('3 conversations with').waitFor();
    await job.getByRole('button', { name: 'Erase them' }).click();
    await page.locator('.toast', { hasText: 'Forgotten: 3 conversations' }).waitFor();
    await job.getByRole('button', { name: 'Undo this import: mistake.jsonl' }).click();
    await job.getByText('Nothing that this import stored is left.').waitFor();
    await page.locator('input[type=file]').setInputFiles(mistake);
    await page.locator('[data-import]', { hasText: '3 new' }).nth(1).waitFor();
  },
  async 'imports: one under way says how many of how many, how fast, and how long the rest takes'({
    page,
    at,
    expect,
  }) {
    await page.goto(at('keep'));
    await page.locator('input[type=file]').setInputFiles(file('steady.jsonl', linesOf(24_000_000, 3_000)));
    const row = page.locator('[data-import]', { hasText: 'steady.jsonl' });
    await row.getByText(/[\d,]+ of 3,000 conversations · [\d,]+ a second · \d+ (?:second|minute)s? left/).waitFor();
    expect(await row.locator('progress').getAttribute('max'), '3000');
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.getByText('Cancelled').waitFor();
  },
  async 'imports: one under way is cancelled from the history'({ page, at }) {
    await page.goto(at('keep'));
    await page.locator('input[type=file]').setInputFiles(file('long.jsonl', linesOf(22_000_000, 3_000)));
    const job = page.locator('[data-job]', { hasText: 'long.jsonl' });
    await job.getByRole('button', { name: 'Cancel: long.jsonl' }).click();
    await job.locator('.state', { hasText: 'Cancelled' }).waitFor();
    await page.locator('[data-import]', { hasText: 'Cancelled' }).waitFor();
  },
};

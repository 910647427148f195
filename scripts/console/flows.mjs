// Every flow of the console as a person would go it. Each gets a page, the address and an `expect`.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { menuIsWhole } from './flows-layout.mjs';
import { madeUp } from './seed.mjs';

/** A list to choose from in the panel of filters. */
const choice = (page, label) => page.locator('.panel label', { hasText: label }).locator('select');

const text = (page, selector) => page.locator(selector).first().textContent();

export const flows = {
  async 'search finds as one types, marks the words and opens the turn'({ page, at, expect }) {
    await page.goto(at('search'));
    await page.keyboard.press('/');
    await page.keyboard.type('telescope kyoto');
    await page.locator('.result mark').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.turn.matched').waitFor();
    expect(new URL(page.url()).hash.includes('open='), true);
    await page.reload();
    await page.locator('.turn.matched').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.pane').waitFor({ state: 'detached' });
  },
  async 'a slow machine loses no key and no letter'({ page, at, expect }) {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    await page.goto(at('search'));
    await page.keyboard.press('/');
    await page.keyboard.type('telescope kyoto');
    expect(await page.locator('.query').inputValue(), 'telescope kyoto');
  },
  async 'search has four kinds of results'({ page, at }) {
    for (const mode of ['chunks', 'compact', 'conversations', 'threads']) {
      await page.goto(at('search', { q: 'sourdough', mode }));
      await page.locator('.modes a[aria-current]').waitFor();
      await page.locator('[data-result]').first().waitFor();
    }
  },
  async 'filters are chips that can be taken away'({ page, at, expect }) {
    await page.goto(at('search'));
    await page.getByRole('button', { name: '+ Filter' }).click();
    await choice(page, 'Source').selectOption('claude');
    await page.locator('.chip', { hasText: 'claude' }).waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('house');
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: '#house' }).waitFor();
    await page.locator('.calendar').first().getByRole('button', { name: 'Previous month' }).click();
    await page.locator('.calendar .days button').first().click();
    await page.locator('.chip', { hasText: 'From' }).waitFor();
    await page.getByRole('button', { name: /Remove: From/ }).click();
    await page.getByRole('button', { name: 'Remove: #house' }).click();
    await page.getByRole('button', { name: '+ Filter' }).click();
    await choice(page, 'Status').selectOption('pending_review');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear all' }).click();
    // The address changes first and the page follows.
    await page.locator('.chip:not(.add)').first().waitFor({ state: 'detached' });
    expect(await page.locator('.chip:not(.add)').count(), 0);
  },
  async 'a search is saved, found again in the list and the palette, and let go'({ page, at, expect }) {
    await page.goto(at('search', { q: 'violin', source: 'claude' }));
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.goto(at('search'));
    const saved = page.getByRole('region', { name: 'Saved searches' });
    await saved.getByRole('link', { name: 'violin · claude' }).click();
    await page.locator('.chip', { hasText: 'claude' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Save this search' }).getAttribute('aria-pressed'), 'true');
    await page.goto(at('timeline'));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('violin · cl');
    await page.getByRole('option', { name: /violin · claude/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/source=claude/);
    await page.goto(at('search'));
    await saved.getByRole('button', { name: 'Remove: violin · claude' }).click();
    await saved.waitFor({ state: 'detached' });
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await saved.waitFor();
  },
  async 'tags and topics are browsed, found by typing, and lead to what has them'({ page, at }) {
    await page.goto(at('search'));
    await page.getByText('Browse tags and topics').click();
    const browse = page.locator('.browse');
    await browse.getByRole('searchbox').fill('gard');
    await browse.getByRole('link', { name: /^#garden/ }).click();
    await page.locator('.chip', { hasText: '#garden' }).first().waitFor();
    await page.locator('[data-result]').first().waitFor();
  },
  async 'the list of everything scrolls without drawing everything'({ page, at, expect }) {
    await page.goto(at('search'));
    await page.locator('.virtual .row').first().waitFor();
    // Scrolls until it is far enough down: pages come while one scrolls.
    await page.waitForFunction(() => {
      window.scrollBy(0, 2_000);
      return Number(document.querySelector('.virtual li')?.getAttribute('aria-posinset')) > 40;
    });
    expect((await page.locator('.virtual li').count()) < 80, true);
  },
  async 'a question is answered, and its citation opens the turn'({ page, at, expect }) {
    await page.goto(at('ask'));
    await page.getByLabel('Your question').fill('Where do I live?');
    await page.keyboard.press('Enter');
    await page.locator('.answer', { hasText: 'Lisbon' }).waitFor({ timeout: 60_000 });
    await page.locator('[data-citation]').first().click();
    expect((await text(page, '.turn.matched .text')).includes('Lisbon'), true);
  },
  async 'a question without an answer says so'({ page, at }) {
    await page.goto(at('ask', { q: 'Where does Zebulon Quartermain live?' }));
    await page.getByRole('heading', { name: 'Not in your memory' }).waitFor({ timeout: 60_000 });
  },
  async 'the timeline leads to a day'({ page, at }) {
    await page.goto(at('timeline'));
    await page.locator('.heat-map a').first().click();
    await page.locator('.chip', { hasText: 'From' }).waitFor();
    await page.locator('[data-result]').first().waitFor();
    await page.goto(at('timeline'));
    await page.locator('.stacked figcaption a').first().click();
    await page.locator('.chip:not(.add)').first().waitFor();
  },
  async 'the timeline is narrowed to months by dragging, or with the lists'({ page, at, expect }) {
    await page.goto(at('timeline'));
    const totals = page.locator('main [role=status]').first();
    await page.locator('.stacked [data-month]').first().waitFor();
    const whole = await totals.textContent();
    await page.locator('.stacked svg').scrollIntoViewIfNeeded();
    const months = page.locator('.stacked [data-month]');
    // Months in which something was said: the made-up conversations are the newest.
    const sixth = (await months.count()) - 6;
    const [first, last] = [await months.nth(sixth).boundingBox(), await months.nth(sixth + 2).boundingBox()];
    await page.mouse.move(first.x + first.width / 2, first.y + 60);
    await page.mouse.down();
    await page.mouse.move(last.x + last.width / 2, last.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.locator('.stacked .chosen').waitFor();
    expect((await totals.textContent()) === whole, false);
    const from = await months.nth(sixth).getAttribute('data-month');
    const to = await months.nth(sixth + 2).getAttribute('data-month');
    expect(new URL(page.url()).hash.includes(`from=${from}&to=${to}`), true);
    await page.getByLabel('To month').selectOption({ index: sixth });
    await page.locator('.month-range a').click();
    await page.locator('.chip', { hasText: 'From' }).waitFor();
    await page.locator('[data-result]').first().waitFor();
  },
  async 'every chart of the timeline has its words and its table'({ page, at, expect }) {
    await page.goto(at('timeline'));
    await page.locator('.heat-table summary').click();
    expect(await page.locator('.heat-table thead th').count(), 9);
    await page.getByText(/active days in 2026; the busiest was/).waitFor();
    await page.locator('.stacked .as-table summary').click();
    await page.locator('.stacked tbody tr').first().waitFor();
    expect(/messages from .+ most from /.test(await page.locator('.stacked svg').getAttribute('aria-label')), true);
  },
  async 'facts show their history; one is superseded and restored'({ page, at, expect }) {
    await page.goto(at('facts'));
    const home = page.locator('.fact-group', { hasText: 'Location' });
    await home.locator('.fact .value', { hasText: 'Lisbon' }).waitFor();
    expect((await home.locator('.history li a').allTextContents()).join(), 'Rome,Oslo');
    const cars = page.locator('.fact-group', { hasText: 'Volvo' });
    await cars.locator('.fact', { hasText: 'Volvo' }).getByRole('button', { name: 'No longer true' }).click();
    await cars.getByRole('button', { name: 'a Honda', exact: true }).click();
    await cars.locator('.history', { hasText: 'Volvo' }).waitFor();
    await cars.getByRole('button', { name: 'Restore' }).click();
    await cars.locator('.fact', { hasText: 'Volvo' }).waitFor();
    await page.getByLabel('Search facts').fill('walnuts');
    await page.locator('.fact .value', { hasText: 'walnuts' }).waitFor();
    await cars.waitFor({ state: 'detached' });
  },
  async 'review is done with the keyboard, and can be taken back'({ page, at, expect }) {
    await page.goto(at('review'));
    await page.locator('.pending button').first().waitFor();
    const first = await page.locator('.pending strong').count();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('r');
    await page.locator('.toast').waitFor();
    await page.keyboard.press('u');
    await page.locator('.toast').waitFor({ state: 'detached' });
    expect(await page.locator('.pending strong').count(), first);
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    expect(await page.locator('.pending strong').count(), first - 2);
    const sent = page.waitForResponse((response) => response.url().endsWith('/memory/pending/reject'));
    await page.goto(at('timeline'));
    expect((await sent).status(), 200);
  },
  async 'what waits is decided by source, many at a time'({ page, at, expect }) {
    await page.goto(at('review'));
    await page.locator('.pending strong').first().waitFor();
    const before = await page.locator('.pending strong').count();
    await page.locator('.bulk .chip').first().click();
    const chosen = await page.locator('.pending input:checked').count();
    await page.locator('.bulk').getByRole('button', { name: 'Reject' }).click();
    await page.locator('.bulk .primary').click();
    await page.waitForFunction((left) => document.querySelectorAll('.pending strong').length === left, before - chosen);
    await page.reload();
    await page.locator('.review h1').waitFor();
    await page.waitForFunction((left) => document.querySelectorAll('.pending strong').length === left, before - chosen);
    expect(chosen > 0, true);
  },
  async 'a dropped export is imported, and known the second time'({ page, at, expect }) {
    await page.goto(at('keep'));
    const folder = mkdtempSync(join(tmpdir(), 'threadkeep-import-'));
    const file = join(folder, 'mine.jsonl');
    const lines = Array.from({ length: 40 }, (_, index) => madeUp(20_000_000 + index));
    writeFileSync(file, lines.map(({ tags: _, ...each }) => JSON.stringify(each)).join('\n'));
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('[data-import]', { hasText: '40 new' }).waitFor();
    const transfer = await page.evaluateHandle(
      (content) => {
        const data = new DataTransfer();
        data.items.add(new File([content], 'mine.jsonl'));
        return data;
      },
      lines.map(({ tags: _, ...each }) => JSON.stringify(each)).join('\n'),
    );
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
    await page.locator('[data-import]', { hasText: '40 known' }).waitFor();
    expect(await page.locator('[data-import]').count(), 2);
  },
  async 'a file is imported wherever it is dropped'({ page, at }) {
    await page.goto(at('timeline'));
    await page.locator('.heat-map').waitFor();
    const { tags: _, ...one } = madeUp(20_000_900);
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], 'anywhere.jsonl'));
      return data;
    }, JSON.stringify(one));
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await page.locator('[data-import]', { hasText: '1 new' }).waitFor();
  },
  async 'everything can be exported, or what one source said in a time'({ page, at, expect }) {
    await page.goto(at('keep'));
    await page.locator('.export option', { hasText: 'claude' }).first().waitFor({ state: 'attached' });
    await page.locator('.export select').selectOption('claude');
    await page.locator('.export input[type=date]').first().fill('2026-01-01');
    const some = page.waitForEvent('download');
    await page.getByRole('link', { name: 'JSON lines' }).click();
    const lines = readFileSync(await (await some).path(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const conversations = lines.flatMap(({ conversation }) => (conversation === undefined ? [] : [conversation]));
    expect(conversations.length > 0 && conversations.every(({ source }) => source === 'claude'), true);
    const shown = page.waitForEvent('download');
    await page.getByRole('link', { name: 'HTML' }).click();
    const html = await shown;
    expect(html.suggestedFilename(), 'threadkeep.html');
    const titles = readFileSync(await html.path(), 'utf8').match(/<h2>/g)?.length;
    expect(titles, conversations.length);
    await page.reload();
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: 'JSON lines' }).click();
    expect((await started).suggestedFilename(), 'threadkeep.jsonl');
  },
  async 'what a search found is exported, and reads as an import'({ page, at, expect }) {
    await page.goto(at('search', { q: 'violin' }));
    await page.locator('[aria-busy=false] .result').first().waitFor();
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export these results: JSON' }).click();
    const download = await started;
    expect(download.suggestedFilename(), 'threadkeep-results.json');
    const found = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(found.length > 1 && found.every(({ source, messages }) => source !== '' && messages.length > 0), true);
    const html = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export these results: HTML' }).click();
    expect(readFileSync(await (await html).path(), 'utf8').startsWith('<!doctype html>'), true);
    const markdown = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export these results: Markdown' }).click();
    expect(/^# .*violin/m.test(readFileSync(await (await markdown).path(), 'utf8')), true);
  },
  async 'forgetting shows what would go, can be taken back, takes only that, and certifies it'({ page, at, expect }) {
    await page.goto(at('keep'));
    const panel = page.locator('.forget');
    const look = page.getByRole('button', { name: 'Preview' });
    expect(await look.isDisabled(), true);
    const thread = panel.getByRole('combobox', { name: 'Thread' });
    await thread.fill('thread-3');
    await panel.getByRole('option', { name: /\(thread-3\)/ }).click();
    await look.click();
    await panel.getByText('3 conversations with').waitFor();
    expect(await panel.locator('.would-go li').count(), 3);
    const forgetIt = page.getByRole('button', { name: 'Forget permanently' });
    await forgetIt.click();
    await page.locator('.toast', { hasText: 'Forgetting “3 conversations”' }).waitFor();
    expect(await look.isDisabled(), true);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await look.click();
    await panel.getByText('3 conversations with').waitFor();
    await forgetIt.click();
    await page.getByRole('button', { name: 'Forget now' }).click();
    await page.getByText(/Forgotten: 3 conversations and \d+ facts?\./).waitFor();
    const started = page.waitForEvent('download');
    await panel.getByRole('button', { name: /^Download certificate/ }).click();
    const certificate = JSON.parse(readFileSync(await (await started).path(), 'utf8'));
    expect([certificate.conversations, certificate.ids.length, certificate.user_id !== ''].join(), '3,3,true');
    expect(/note|canoe|Oslo/i.test(JSON.stringify(certificate)), false);
    await look.click();
    await page.getByText('Nothing matches.').waitFor();
  },
  async 'what came after the preview stops forgetting'({ page, at, url }) {
    const insert = (index) => {
      const { tags: _, ...one } = madeUp(32_000_000 + index);
      return page.request.post(`${url}/memory/insert`, { data: { ...one, metadata: { tags: ['passing'] } } });
    };
    await insert(1);
    await page.goto(at('keep'));
    const panel = page.locator('.forget');
    await panel.getByRole('combobox', { name: 'Tag' }).fill('passing');
    await page.keyboard.press('Enter');
    await panel.locator('.chip', { hasText: '#passing' }).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await panel.getByText('1 conversation with').waitFor();
    await insert(2);
    await page.getByRole('button', { name: 'Forget permanently' }).click();
    await page.getByRole('button', { name: 'Forget now' }).click();
    await page.locator('.toast[role=alert]', { hasText: 'no longer matches' }).waitFor();
  },
  async 'health shows the stores and checks itself'({ page, at, expect }) {
    await page.goto(at('health'));
    await page.getByText('lancedb', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText(/\d+ of 10 found/).waitFor();
    await page.waitForFunction(() => !document.querySelector('.health button:disabled'));
    expect(await text(page, '.health [role=status]'), '10 of 10 found');
  },
  async 'closing the keys leaves the conversation behind them open'({ page, at }) {
    await page.goto(at('search', { q: 'violin' }));
    await page.locator('[data-result]').first().click();
    await page.locator('.pane .turn').first().waitFor();
    await page.keyboard.press('?');
    await page.locator('.key-help[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.key-help').waitFor({ state: 'detached' });
    await page.locator('.pane .turn').first().waitFor();
  },
  async 'a link is copied, or shown where the browser does not copy'({ page, at, expect }) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(at('search', { q: 'violin' }));
    await page.locator('[data-result]').first().click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText()), page.url());
    // As it is on a page that came over plain HTTP from another machine.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.locator('[data-result]').nth(1).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    const shown = page.getByLabel('The link, to copy by hand');
    expect(await shown.inputValue(), page.url());
    expect(await page.evaluate(() => getSelection()?.toString()), page.url());
  },
  async 'keys go to the views and show themselves'({ page, at }) {
    await page.goto(at('health'));
    await page.locator('h1').waitFor();
    await page.keyboard.press('2');
    await page.getByRole('heading', { name: 'Ask' }).waitFor();
    await page.keyboard.press('?');
    await page.locator('.key-help[open]').waitFor();
    // What lies behind it does not move.
    await page.keyboard.press('3');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.locator('.key-help').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Ask' }).waitFor();
    await page.keyboard.press('/');
    await page.waitForFunction(() => document.activeElement?.classList.contains('query'));
  },
  async 'the other language is complete on every view'({ page, at, expect }) {
    await page.goto(at('search'));
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('link', { name: 'Zustand' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang), 'de');
    await page.goto(at('facts'));
    await page.locator('.fact-group', { hasText: 'Wohnort' }).locator('.value', { hasText: 'Lisbon' }).waitFor();
    const names = await page.locator('.fact-group h3').allTextContents();
    expect(names.filter((name) => /Location|Employer|Dog|Favorite|Speaks|Plays/.test(name)).join(), '');
  },
  async 'Spanish is complete too, with its own dates and numbers'({ page, at, expect }) {
    await page.goto(at('search'));
    await page.getByLabel('Language').selectOption('es');
    await page.getByRole('link', { name: 'Estado' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang), 'es');
    await page.goto(at('facts'));
    const home = page.locator('.fact-group', { hasText: 'Domicilio' });
    await home.locator('.value', { hasText: 'Lisbon' }).waitFor();
    await home.getByText('dicho el 4 jul 2026').waitFor();
    const names = await page.locator('.fact-group h3').allTextContents();
    expect(names.filter((name) => /Location|Employer|Dog|Favorite|Speaks|Plays/.test(name)).join(), '');
    await page.goto(at('people'));
    await page.locator('.person', { hasText: 'Fiona' }).getByText('Hermana').waitFor();
  },
};

/** With accounts: nothing without a token, and what an admin of a project may do. */
export const signedInFlows = {
  async 'a token signs in, and signing out forgets it'({ page, at, expect, token }) {
    await page.goto(at('search'));
    await page.getByLabel('Token').fill('tk_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This token is not accepted').waitFor();
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByText('No conversations yet.').waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage).join()), '');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length), 0);
  },
  async 'the menu is whole beside the way to sign out'({ page, at, expect, token }) {
    await page.goto(at('search'));
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await menuIsWhole({ page, at, expect });
    await page.getByRole('button', { name: 'Abmelden' }).waitFor();
  },
  async 'settings: a token without the right to operate is told so'({ page, at, token }) {
    await page.goto(at('settings'));
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByText('service:operate').waitFor();
  },
  async 'a service that allows few results at a time is asked for no more'({ page, at, token }) {
    await page.goto(at('search', { q: 'violin' }));
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found').waitFor();
    await page.goto(at('facts', { about: 'all' }));
    await page.getByText('No facts yet').waitFor();
  },
  async 'an admin manages members, and a token is revoked'({ page, at, expect, token }) {
    await page.goto(at('projects'));
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Members' }).first().click();
    await page.getByLabel('User name').fill('omar');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Role: omar').selectOption('writer');
    await page.getByRole('button', { name: 'Remove: omar' }).click();
    await page.locator('.members', { hasText: 'omar' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke: spare' }).click();
    await page.getByText('spare').waitFor({ state: 'detached' });
    await page.goto(at('search'));
    await page.getByRole('button', { name: '+ Filter' }).click();
    await choice(page, 'Project').waitFor();
    const options = await choice(page, 'Project').locator('option').allTextContents();
    expect(options[0], 'My own');
    expect(options.length, 2);
  },
};

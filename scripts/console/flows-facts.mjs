// Facts corrected, ended, pinned and added by hand, each taken back; and as they were known on a day.

const groupOf = (page, name) => page.locator('.fact-group', { has: page.getByRole('heading', { name }) });
const focused = (page) => page.evaluate(() => document.activeElement?.closest('[data-fact]')?.textContent ?? '');

export const factFlows = {
  async 'facts: a message that does not say so is detached, stays in the history, and is undone'({
    page,
    at,
    url,
    expect,
  }) {
    for (const [day, words] of [
      ['2026-03-01', 'I drive a Lada.'],
      ['2026-10-30', 'I drive a Lada, as I said.'],
    ]) {
      const data = { source: 'notes', timestamp: day, messages: [{ role: 'user', text: words }] };
      await page.request.post(`${url}/memory/insert`, { data });
    }
    await page.goto(at('facts', { q: 'Lada' }));
    const fact = page.locator('.fact', { hasText: 'Lada' }).first();
    await fact.getByText('Details').click();
    await fact.locator('.evidence li').nth(1).waitFor();
    await fact.getByRole('button', { name: /^Does not say so: notes, 30 Oct 2026/ }).click();
    await page.locator('.toast', { hasText: 'no longer counts' }).waitFor();
    const open = async () => {
      if (!(await fact.locator('details').evaluate((details) => details.open))) await fact.getByText('Details').click();
    };
    await open();
    await fact.locator('.changes li', { hasText: 'source detached' }).waitFor();
    expect(await fact.locator('.evidence li').count(), 1);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.toast', { hasText: 'Undone.' }).waitFor();
    await open();
    await fact.locator('.evidence li').nth(1).waitFor();
    expect(await fact.locator('.changes').count(), 0);
  },
  async 'facts: one is no longer true since a day, stays dated below, and Undo brings it back'({ page, at, expect }) {
    await page.goto(at('facts'));
    const dogs = groupOf(page, 'Dog');
    await dogs.getByRole('button', { name: 'No longer true' }).click();
    const until = dogs.getByLabel('True until');
    expect(await until.evaluate((field) => field === document.activeElement), true);
    await page.keyboard.press('Escape');
    expect(
      await dogs.getByRole('button', { name: 'No longer true' }).evaluate((it) => it === document.activeElement),
      true,
    );
    await page.keyboard.press('Enter');
    await until.fill('2026-09-30');
    await dogs.getByRole('button', { name: 'Save' }).click();
    await dogs.locator('.history', { hasText: '30 Sept 2026 · no longer true' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Biscuit'));
    await page.keyboard.press('u');
    await dogs.locator('.fact', { hasText: 'Biscuit' }).waitFor();
    await page.getByText('Undone.').waitFor();
    expect(await dogs.locator('.history').count(), 0);
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Biscuit'));
  },
  async 'facts: what never was true is marked so, and restored'({ page, at }) {
    await page.goto(at('facts'));
    const languages = groupOf(page, 'Speaks');
    await languages.getByRole('button', { name: 'No longer true' }).click();
    await languages.getByRole('button', { name: 'It was never true' }).click();
    await languages.locator('.history', { hasText: 'never true' }).waitFor();
    await page.reload();
    await languages.getByRole('button', { name: 'Restore' }).click();
    await languages.locator('.fact', { hasText: 'Norwegian' }).waitFor();
  },
  async 'facts: a value is corrected in place with the keyboard alone, and Undo takes it back'({ page, at, expect }) {
    await page.goto(at('facts'));
    const home = groupOf(page, 'Location');
    await home.getByRole('button', { name: 'Correct' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Porto');
    await page.keyboard.press('Enter');
    await home.locator('.fact .value', { hasText: 'Porto' }).waitFor();
    await home.locator('.history li', { hasText: 'Lisbon' }).getByText('corrected').waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[data-fact]') !== null);
    expect((await focused(page)).includes('Porto'), true);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await home.locator('.fact .value', { hasText: 'Lisbon' }).waitFor();
    expect((await home.locator('.history li .value').allTextContents()).join(), 'Rome,Oslo');
    await page.waitForFunction(() => document.activeElement?.closest('[data-fact]') !== null);
    expect((await focused(page)).includes('Lisbon'), true);
  },
  async 'facts: a pin holds, is shown, and can be undone from the details'({ page, at, expect }) {
    await page.goto(at('facts'));
    const color = groupOf(page, 'Favorite color');
    await color.getByRole('button', { name: 'Pin', exact: true }).click();
    await color.locator('.state', { hasText: 'Pinned' }).waitFor();
    await page.reload();
    await color.getByText('Details').first().click();
    await color.locator('.evidence', { hasText: '“My favorite color is blue.”' }).waitFor();
    await color.locator('.changes', { hasText: 'pinned' }).getByRole('button', { name: 'Undo' }).click();
    await color.locator('.state', { hasText: 'Pinned' }).waitFor({ state: 'detached' });
    await color.locator('.evidence a').first().click();
    await page.locator('.turn.matched', { hasText: 'My favorite color is blue.' }).waitFor();
    expect(new URL(page.url()).hash.includes('open='), true);
  },
  async 'facts: one is added by hand, known the second time, and undone'({ page, at, expect }) {
    await page.goto(at('facts'));
    const add = page.getByRole('button', { name: 'Add a fact' });
    const enter = async (what, value) => {
      await add.click();
      await page.keyboard.type(what);
      await page.locator('.combobox [role=option]').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByLabel('Value').fill(value);
      await page.keyboard.press('Enter');
    };
    await add.click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Say what it is').waitFor();
    await page.keyboard.press('Escape');
    expect(await add.evaluate((button) => button === document.activeElement), true);
    await enter('native l', 'Latin');
    const tongue = groupOf(page, 'Native language');
    await tongue.locator('.fact', { hasText: 'entered by you' }).waitFor();
    await page.getByText('Added.').waitFor();
    await enter('native l', 'Latin');
    await page.getByText('This fact already exists.').waitFor();
    expect(await page.locator('.toast').getByRole('button', { name: 'Undo' }).count(), 0);
    await tongue.getByText('Details').click();
    await tongue.locator('.changes').getByRole('button', { name: 'Undo' }).click();
    await tongue.waitFor({ state: 'detached' });
  },
  async 'facts: as of a day shows what was known then, and nothing to change'({ page, at, expect }) {
    await page.goto(at('facts'));
    await page.getByLabel('As of').fill('2026-01-15');
    const home = groupOf(page, 'Location');
    await home.locator('.fact .value', { hasText: 'Oslo' }).waitFor();
    expect(new URL(page.url()).hash.includes('as_of=2026-01-15'), true);
    expect(await page.getByRole('button', { name: 'Correct' }).count(), 0);
    expect(await page.getByRole('button', { name: 'Add a fact' }).count(), 0);
    await page.getByRole('link', { name: 'Back to now' }).click();
    await home.locator('.fact .value', { hasText: 'Lisbon' }).waitFor();
  },
  async 'facts: a change that does not reach the service says so and stays open'({ page, at, expect }) {
    await page.goto(at('facts'));
    const home = groupOf(page, 'Location');
    await home.getByRole('button', { name: 'Correct' }).click();
    await page.route('**/memory/facts/*/correct', (route) => route.abort());
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await page.getByText('That did not work').waitFor();
    expect(await home.getByLabel('Correct value').inputValue(), 'Lisbonx');
  },
};

// Who is known, what is known about them, and where it was said.

const said = [
  ['My sister Fiona lives abroad.'],
  ['My boss is called Karen Whitfield.'],
  ['I have a younger brother.'],
  ['Fiona: I live in Cork.', 'Tom: I play chess.', 'Fiona: Nice.', 'Tom: Yes.'],
  ['Fiona: I moved to Dublin.', 'Tom: Since when?', 'Fiona: I play the harp.', 'Tom: I see.'],
];

/** Whom the user told about, and what some of them said. */
export const people = said.map((texts, index) => ({
  source: 'notes',
  title: `About others, ${index}`,
  timestamp: `2026-0${index + 1}-10T10:00:00Z`,
  messages: texts.map((text) => ({ role: 'user', text })),
}));

const groupOf = (page, name) => page.locator('.fact-group', { has: page.getByRole('heading', { name }) });

export const peopleFlows = {
  async 'people: who is known, what they are, since when; one is found by typing'({ page, at, expect }) {
    await page.goto(at('people'));
    const fiona = page.locator('.person', { hasText: 'Fiona' });
    await fiona.getByText('Sister').waitFor();
    await fiona.getByText('since 10 Jan 2026').waitFor();
    await page.locator('.person', { hasText: 'Biscuit' }).getByText('Dog').waitFor();
    await page.locator('.person strong', { hasText: 'Brother' }).waitFor();
    await page.getByLabel('Find a person').fill('boss');
    await fiona.waitFor({ state: 'detached' });
    expect(await page.locator('.person strong').allTextContents().then(String), 'Karen Whitfield');
  },
  async 'people: a page of their own has what is known, what it was before, and leads to where it was said'({
    page,
    at,
    expect,
  }) {
    await page.goto(at('people'));
    await page.locator('.person', { hasText: 'Fiona' }).click();
    await page.getByRole('heading', { name: /^Fiona/ }).waitFor();
    const home = groupOf(page, 'Location');
    await home.locator('.fact .value', { hasText: 'Dublin' }).waitFor();
    await home.locator('.history', { hasText: 'Cork' }).waitFor();
    await groupOf(page, 'Sister').locator('.value', { hasText: 'Fiona' }).waitFor();
    // The address is enough to come back.
    await page.goto('about:blank');
    await page.goBack();
    await page.reload();
    await home.getByText('Details').first().click();
    await home.locator('.evidence', { hasText: 'I moved to Dublin.' }).waitFor();
    await page.locator('.told a', { hasText: 'About others, 4' }).waitFor();
    await home.locator('.evidence a').first().click();
    await page.locator('.turn.matched', { hasText: 'I moved to Dublin.' }).waitFor();
    expect(new URL(page.url()).hash.includes('open='), true);
  },
  async 'people: what is known about them is corrected and added, and undone'({ page, at, expect }) {
    await page.goto(at('people', { name: 'Fiona' }));
    const home = groupOf(page, 'Location');
    await home.getByRole('button', { name: 'Correct' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Galway');
    await page.keyboard.press('Enter');
    await home.locator('.fact .value', { hasText: 'Galway' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Galway'));
    await page.keyboard.press('u');
    await home.locator('.fact .value', { hasText: 'Dublin' }).waitFor();
    await page.getByRole('button', { name: 'Add a fact about Fiona' }).click();
    await page.keyboard.type('Hobby');
    await page.getByLabel('Value').fill('sailing');
    await page.keyboard.press('Enter');
    await groupOf(page, 'Hobby').locator('.value', { hasText: 'sailing' }).waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await groupOf(page, 'Hobby').waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { name: /^Fiona/ }).count(), 1);
  },
  async 'people: as of a day, and a name that nobody has'({ page, at }) {
    await page.goto(at('people', { as_of: '2026-01-31' }));
    await page.locator('.person', { hasText: 'Fiona' }).waitFor();
    await page.locator('.person', { hasText: 'Karen' }).waitFor({ state: 'detached' });
    await page.goto(at('people', { name: 'Zebulon' }));
    await page.getByText('There is no person with this name in your memory.').waitFor();
    await page.getByRole('link', { name: 'All people' }).click();
    await page.locator('.person', { hasText: 'Karen' }).waitFor();
  },
  async 'people: a fact about somebody leads to their page'({ page, at }) {
    await page.goto(at('facts', { about: 'all', q: 'harp' }));
    await page.getByRole('link', { name: 'Fiona' }).click();
    await page.getByRole('heading', { name: /^Fiona/ }).waitFor();
  },
};

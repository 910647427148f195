// The keyboard never has to start again at the top of the page: what is closed or removed leaves the focus beside it.
const focusOn = (page, selector) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector, { timeout: 15_000 });

async function openFirst(page, at, query) {
  await page.goto(at('search', { q: query }));
  await page.locator('[aria-busy=false] [data-result]').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.pane .turn').first().waitFor();
  await focusOn(page, '.pane');
}

async function choose(page, name) {
  await page.locator('.pane .menu summary').focus();
  await page.keyboard.press('Enter');
  await page.locator('.pane .menu-list').getByText(name).focus();
  await page.keyboard.press('Enter');
}

export const focusFlows = {
  async 'focus: filters and operators that are removed leave it beside them'({ page, at }) {
    await page.goto(at('search', { q: 'source:claude violin', tags: 'music', date_from: '2020-01-01' }));
    await page.locator('.understood button').focus();
    await page.keyboard.press('Enter');
    await page.locator('.understood').waitFor({ state: 'detached' });
    await focusOn(page, '.filters button');
    await page.locator('.filters .chip button').first().focus();
    await page.keyboard.press('Enter');
    await focusOn(page, '.filters .chip button');
    await page.keyboard.press('Enter');
    await focusOn(page, '.filter-panel button');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await focusOn(page, '.panel select');
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await focusOn(page, '.filter-panel button');
  },
  async 'focus: renaming, tagging and forgetting give it back, and Escape gives up forgetting alone'({ page, at }) {
    await openFirst(page, at, 'greenhouse');
    await choose(page, 'Rename');
    await focusOn(page, '.pane-step input');
    await page.keyboard.press('Escape');
    await focusOn(page, '.menu summary');
    await choose(page, 'Forget this conversation');
    await focusOn(page, '.pane-step button.quiet');
    await page.keyboard.press('Escape');
    await page.locator('.pane-step').waitFor({ state: 'detached' });
    await focusOn(page, '.menu summary');
    await page.locator('.pane-about .chip.add').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('focused');
    await page.keyboard.press('Enter');
    await page.locator('.pane-about .chip', { hasText: 'focused' }).waitFor();
    await focusOn(page, '.pane-about button');
    await page.getByRole('button', { name: 'Remove: #focused' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.pane-about .chip', { hasText: 'focused' }).waitFor({ state: 'detached' });
    await focusOn(page, '.pane-about button');
  },
  async 'focus: Back and Escape return to what opened the conversation'({ page, at }) {
    await openFirst(page, at, 'greenhouse');
    await page.goBack();
    await page.locator('.pane').waitFor({ state: 'detached' });
    await focusOn(page, '[data-result]');
    await page.goto(at('ask', { q: 'Where do I live?' }));
    await page.locator('[data-citation]').first().waitFor({ timeout: 60_000 });
    await page.locator('[data-citation]').first().focus();
    await page.keyboard.press('Enter');
    await focusOn(page, '.pane');
    await page.keyboard.press('Escape');
    await focusOn(page, '[data-citation]');
  },
  async 'focus: a view that was reached by key is read from its top'({ page, at }) {
    await page.goto(at('search', { q: 'greenhouse' }));
    await page.locator('[aria-busy=false] [data-result]').first().focus();
    await page.keyboard.press('Control+k');
    await page.locator('.palette input').waitFor();
    await page.keyboard.type('timel');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Timeline', exact: true }).waitFor();
    await focusOn(page, 'main');
  },
  async 'focus: a client that is connected keeps it, also where its card moves'({ page, at }) {
    await page.goto(at('connect'));
    const button = page.locator('[data-client=zed] .client-line button');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-client=zed]', { hasText: 'Connected' }).waitFor();
    await focusOn(page, '[data-client=zed] button');
    await page.keyboard.press('Enter');
    await page.locator('[data-client=zed]', { hasText: 'Connected' }).waitFor({ state: 'detached' });
    await focusOn(page, '[data-client=zed] button');
  },
};

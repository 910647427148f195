// The settings of the service: where each value comes from, and no secret.

export const settingsFlows = {
  async 'settings: every key has its value and its source, and is found by typing'({ page, at, expect }) {
    await page.goto(at('settings'));
    const tagger = page.locator('.setting', { has: page.locator('.key', { hasText: /^tagger$/ }) });
    await tagger.locator('.state', { hasText: 'File' }).waitFor();
    expect(await tagger.locator('.setting-value').textContent(), 'false');
    const folder = page.locator('.setting', { hasText: 'data_dir' });
    await folder.locator('.state', { hasText: 'Command line' }).waitFor();
    const all = await page.locator('.setting').count();
    await page.getByLabel('Find a setting').fill('qdrant api_key');
    await page.getByText('not in use').first().waitFor();
    await page.locator('.setting').first().getByText('Details').click();
    await page.getByText('needs a restart').waitFor();
    await page.getByText('THREADKEEP_STORAGE__VECTOR_PROVIDERS__QDRANT__API_KEY').waitFor();
    await page.getByLabel('Find a setting').fill('');
    await page.getByLabel('Only changed settings').check();
    await page.waitForFunction(() => document.querySelectorAll('.setting').length < 10);
    await tagger.waitFor();
    expect(all > 60, true);
    await page.getByLabel('Only changed settings').uncheck();
    await page.getByRole('button', { name: /^Show \d+ settings/ }).click();
    await page.waitForFunction((before) => document.querySelectorAll('.setting').length > before, all);
  },
};

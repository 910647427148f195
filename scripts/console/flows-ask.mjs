// Questions with several parts, questions after questions, and what is copied of an answer.
export const askFlows = {
  async 'ask: each part of a question has its own answer'({ page, at, expect }) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(at('ask', { q: 'Where do I live and what is my dog called?' }));
    const parts = page.locator('[data-part]');
    await parts.first().waitFor({ timeout: 60_000 });
    expect((await parts.locator('dt').allTextContents()).join(' '), 'Where do I live? What is my dog called?');
    await parts.nth(0).locator('.lead', { hasText: 'Lisbon' }).waitFor();
    await parts.nth(1).locator('.lead', { hasText: 'Biscuit' }).waitFor();
    expect(await parts.locator('.state').count(), 2);
    await page.getByRole('button', { name: 'Copy with quotes' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(/What is my dog called\?\n.*Biscuit/.test(copied) && copied.includes('[1] “'), true);
    await parts.nth(1).locator('.marker').first().click();
    await page.locator('.pane .turn.matched', { hasText: 'Biscuit' }).waitFor();
  },
  async 'ask: a follow-up keeps what was asked before, and going back asks nothing'({ page, at, expect }) {
    await page.goto(at('ask', { q: 'Where do I live?' }));
    await page.locator('.answer', { hasText: 'Lisbon' }).waitFor({ timeout: 60_000 });
    await page.getByLabel('Follow-up question').fill('What is my dog called?');
    await page.keyboard.press('Enter');
    await page.locator('.answer', { hasText: 'Biscuit' }).waitFor({ timeout: 60_000 });
    await page.locator('.earlier li', { hasText: 'Lisbon' }).waitFor();
    expect(await page.getByLabel('Your question').inputValue(), 'What is my dog called?');
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/memory/ask')) asked += 1;
    });
    await page.locator('.earlier a', { hasText: 'Where do I live?' }).click();
    await page.locator('.answer', { hasText: 'Lisbon' }).waitFor();
    await page.goBack();
    await page.locator('.answer', { hasText: 'Biscuit' }).waitFor();
    expect(asked, 0);
    await page.getByRole('link', { name: 'Start over' }).click();
    await page.locator('.examples li').first().waitFor();
  },
  async 'ask: an unsure answer says so, and shows what was read'({ page, at, expect }) {
    await page.goto(at('ask', { q: 'What did my dentist say about the crown?' }));
    await page.locator('.answer').waitFor({ timeout: 60_000 });
    // Nothing of the kind was said: the nearest mentions are no answer, so none has a marker.
    expect(/:\s*$/.test((await page.locator('.answer :is(.lead, h2)').first().textContent()) ?? ''), false);
    expect(await page.locator('.answer .marker').count(), 0);
    await page.getByRole('heading', { name: 'Nearest matches' }).waitFor();
    await page.locator('.why summary').click();
    await page.locator('.read li').first().waitFor();
    const shares = (await page.locator('.read-share').allTextContents()).map(Number.parseFloat);
    expect(shares.join(), [...shares].sort((one, other) => other - one).join());
    await page.locator('.read a').first().click();
    await page.locator('.pane .turn.matched').waitFor();
  },
  async 'ask: more questions are drawn from what is known, and one click asks'({ page, at }) {
    await page.goto(at('ask', { q: 'Where do I live?' }));
    await page.locator('.follow-up li a', { hasText: 'Where do I work?' }).click({ timeout: 60_000 });
    await page.locator('.answer', { hasText: 'Fjordlight' }).waitFor({ timeout: 60_000 });
    await page.locator('.earlier').waitFor();
  },
};

// Who and what appears when, what a week was about, and what the service knows about itself.
export const timelineFlows = {
  async 'timeline: people and topics are drawn by month, in words and as a table, and lead to what was said'({
    page,
    at,
    expect,
  }) {
    await page.goto(at('timeline'));
    const map = page.locator('.appearances');
    await map.locator('.appearance.person a[data-appearance="Fiona"]').waitFor();
    await map.locator('.appearance.tag').first().waitFor();
    expect((await map.locator('.appearance.topic circle').count()) > 0, true);
    expect((await map.locator('figcaption').textContent()).includes('most often'), true);
    await map.getByText('As a table').click();
    const [rows, columns] = [await map.locator('.appearance').count(), await map.locator('thead th').count()];
    expect(columns, rows + 1);
    const month = await map.locator('.appearance.tag circle title').first().textContent();
    await map.locator('.appearance.tag circle').first().click();
    await page.locator('.chip', { hasText: `#${month.split(',')[0]}` }).waitFor();
    await page.locator('.chip', { hasText: 'From' }).waitFor();
  },
  async 'timeline: a name on the map leads to their page with the keyboard'({ page, at }) {
    await page.goto(at('timeline'));
    await page.locator('.appearance a[data-appearance="Fiona"]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Fiona' }).waitFor();
  },
  async 'timeline: a week is told, with the one before it, and has an address'({ page, at, expect }) {
    await page.goto(at('timeline', { week: '2026-10-28' }));
    const digest = page.locator('.digest');
    await digest.getByText('26 Oct 2026 – 1 Nov 2026').waitFor();
    await digest.getByText(/\d+ conversations?, \d+ messages?\. \d+ conversations? in the week before\./).waitFor();
    expect((await digest.locator('.digest-columns li').count()) > 0, true);
    await digest.getByText('As a table').click();
    expect(await digest.locator('tbody tr').count(), 7);
    await digest.getByRole('link', { name: 'Previous week' }).click();
    await digest.getByText('19 Oct 2026 – 25 Oct 2026').waitFor();
    expect(page.url().includes('week=2026-10-19'), true);
    await page.goBack();
    await digest.getByText('26 Oct 2026 – 1 Nov 2026').waitFor();
  },
  async 'health: what each source has stored, and what the index knows'({ page, at, expect }) {
    await page.goto(at('health'));
    const stored = page.locator('.stored');
    await stored.locator('tbody tr', { hasText: 'claude-code' }).waitFor();
    const shares = await stored
      .locator('meter')
      .evaluateAll((meters) => meters.reduce((sum, meter) => sum + meter.value / meter.max, 0));
    expect(Math.abs(shares - 1) < 0.001, true);
    await stored.getByText(/[\d,]+ passages, \d+ topics, \d+ tags, [\d,]+ threads\./).waitFor();
  },
  async 'health: the last day is told minute by minute'({ page, at, expect }) {
    await page.goto(at('health'));
    const history = page.locator('.health-history');
    // The first sample comes a minute after the start.
    await history.getByText(/[\d,]+ requests? since .*, 0 failed\. No problems\./).waitFor({ timeout: 90_000 });
    await history.getByText('As a table').click();
    expect((await history.locator('tbody tr').count()) >= 1, true);
  },
};

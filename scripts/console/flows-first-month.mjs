// The memory of a user who started this month, with many conversations held for review.

const title = 'A plum crumble for the neighbours, '.repeat(30).slice(0, 1_000);

/** Few conversations, all of one month. */
export const firstMonth = ['2026-11-02', '2026-11-04', '2026-11-11'].map((day, index) => ({
  source: index === 0 ? 'claude' : 'notes',
  title: index === 0 ? title : `Day ${index}`,
  timestamp: `${day}T10:00:00Z`,
  messages: [{ role: 'user', text: `The ${['crumble', 'letterbox', 'ladder'][index]} is ready.` }],
  tags: index === 0 ? ['side project'] : [],
}));

/** More than the page asks for at a time. */
export const waitingForReview = 53;

const phone = { width: 390, height: 844 };
const boxOf = (page, selector) => page.locator(selector).first().boundingBox();

export const firstMonthFlows = {
  async 'one month already fills the chart'({ page, at, expect }) {
    await page.goto(at('timeline'));
    await page.locator('.stacked figcaption a').first().waitFor();
    const widths = await page
      .locator('.stacked polygon')
      .evaluateAll((areas) => areas.map((area) => Math.round(area.getBBox().width)));
    expect(widths.length, 2);
    expect(Math.min(...widths) > 100, true);
  },
  async 'on a phone the year is open at its last day'({ page, at, expect }) {
    await page.setViewportSize(phone);
    await page.goto(at('timeline'));
    await page.locator('.heat-map a').first().waitFor();
    const { x, width } = await page.locator('.heat-map a').last().boundingBox();
    expect(x >= 0 && x + width <= phone.width, true);
  },
  async 'a tag of two words is found by those who want to forget it'({ page, at }) {
    await page.goto(at('keep'));
    const tags = page.locator('.forget input[name=tags]');
    await tags.fill('#no-such-tag');
    await page.locator('.forget [role=option]').first().waitFor({ state: 'detached' });
    await tags.fill('#side project');
    await tags.press('Enter');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('1 conversation with').waitFor();
  },
  async 'a long title leaves room for everything else'({ page, at, expect }) {
    for (const viewport of [phone, { width: 1280, height: 860 }]) {
      await page.setViewportSize(viewport);
      await page.goto(at('search', { q: 'crumble' }));
      await page.locator('[data-result]').first().waitFor();
      expect((await boxOf(page, '.result strong')).height < 80, true);
      await page.locator('[data-result]').first().click();
      await page.locator('.pane .turn').first().waitFor();
      const heading = await boxOf(page, '.pane h2');
      expect(heading.height < 100 && heading.width > 250, true);
      const close = await boxOf(page, '.pane .close');
      const pane = await boxOf(page, '.pane');
      expect(close.y - pane.y < 60, true);
    }
  },
  async 'all of a source are chosen, also those further down the list'({ page, at, url, expect }) {
    await page.goto(at('review'));
    const chip = page.locator('.bulk .chip').first();
    await chip.waitFor();
    // The name follows its mark.
    const source = await chip.locator('.source').evaluate((node) => node.lastChild.textContent);
    const { total } = await page.request
      .post(`${url}/memory/conversations/list`, { data: { memory_status: 'pending_review', source, limit: 1 } })
      .then((answer) => answer.json());
    await chip.click();
    await page.locator('.bulk', { hasText: `${total} chosen` }).waitFor();
    await page.locator('.bulk').getByRole('button', { name: 'Cancel' }).click();
    expect(total > 0, true);
  },
  async 'all that waits is counted, and comes when the list runs out'({ page, at, expect }) {
    await page.goto(at('review'));
    const count = page.locator('.review h1 .about');
    await page.locator('.review .turn').first().waitFor();
    expect(await count.textContent(), String(waitingForReview));
    const listed = await page.locator('.pending strong').count();
    for (let left = waitingForReview - 1; left >= 1; left--) {
      await page.locator('.pending [aria-current]').waitFor();
      await page.keyboard.press('r');
      await page.waitForFunction((n) => document.querySelector('.review h1 .about')?.textContent === n, String(left));
    }
    expect(listed < waitingForReview, true);
    expect(await page.locator('.pending strong').count(), 1);
  },
  async 'the last of the list can be taken back and decided by key'({ page, at, expect }) {
    await page.goto(at('review'));
    await page.locator('.review .turn').first().waitFor();
    while ((await page.locator('.pending strong').count()) > 0) await page.keyboard.press('r');
    await page.getByText('Nothing to review.').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('u');
    await page.locator('.pending [aria-current]').waitFor();
    expect(await page.getByText('Nothing to review.').count(), 0);
    await page.keyboard.press('a');
    await page.getByText('Approved.').waitFor();
  },
};

// Facts that contradict each other: the queue, a choice, both kept, each undone.
const said = (page, url, text) =>
  page.request.post(`${url}/memory/insert`, {
    data: {
      source: 'notes',
      title: 'A matter of taste',
      timestamp: '2026-10-20T08:00:00Z',
      messages: [{ role: 'user', text }],
    },
  });

/** At the same time, so that neither is the newer one. */
async function contradict(page, url) {
  await said(page, url, 'My favorite season is autumn.');
  await said(page, url, 'My favorite season is winter.');
}

const conflict = (page) => page.locator('.conflict', { hasText: 'Favorite season' });

export const conflictFlows = {
  async 'conflicts: values are shown side by side, one is chosen, and undone'({ page, at, url, expect }) {
    await contradict(page, url);
    await page.goto(at('facts'));
    await page.locator('.conflicts-found a').click();
    await conflict(page).waitFor();
    expect((await conflict(page).locator('.value').allTextContents()).sort().join(), 'autumn,winter');
    await conflict(page).getByRole('button', { name: 'Use this value: winter' }).click();
    await conflict(page).waitFor({ state: 'detached' });
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await conflict(page).waitFor();
  },
  async 'conflicts: all values are kept with the keyboard, and undone'({ page, at, url }) {
    await contradict(page, url);
    await page.goto(at('facts', { about: 'conflicts' }));
    await conflict(page).getByRole('button', { name: 'Keep all' }).focus();
    await page.keyboard.press('Enter');
    await conflict(page).waitFor({ state: 'detached' });
    await page.locator('.toast', { hasText: 'All values are kept.' }).waitFor();
    await page.keyboard.press('u');
    await conflict(page).waitFor();
  },
};

// What a person sees while the service cannot be reached: nothing is lost, nothing stays silent, and it can be tried again.

const away = (page) => page.context().setOffline(true);
const back = (page) => page.context().setOffline(false);
const unreachable = 'Threadkeep cannot be reached';

export const outageFlows = {
  async 'a decision that did not reach the service comes back'({ page, at, expect }) {
    await page.goto(at('review'));
    await page.locator('.pending button').first().waitFor();
    const titles = await page.locator('.pending strong').allTextContents();
    await page.locator('.review .turn').first().waitFor();
    await away(page);
    await page.keyboard.press('a');
    // It is held back for some seconds, then sent, and fails.
    await page.locator('.review > .failure', { hasText: unreachable }).waitFor();
    expect((await page.locator('.pending strong').allTextContents()).join(), titles.join());
    // What is looked at stays in place, so that the next key is about it.
    expect(await page.locator('.pending [aria-current] strong').textContent(), titles[1]);
  },
  async 'what could not be shown is told, and not decided unseen'({ page, at, expect }) {
    await page.goto(at('review'));
    await page.locator('.review .turn').first().waitFor();
    const waiting = await page.locator('.pending strong').count();
    await away(page);
    await page.keyboard.press('j');
    await page.locator('.review .card .failure', { hasText: unreachable }).waitFor();
    await page.keyboard.press('a');
    expect(await page.getByRole('button', { name: 'Approve' }).isDisabled(), true);
    expect(await page.locator('.pending strong').count(), waiting);
    await back(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.review .turn').first().waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).isEnabled(), true);
  },
  async 'more results that did not come can be asked for again'({ page, at, expect }) {
    await page.goto(at('search', { q: 'violin' }));
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    const before = await page.locator('.result').count();
    await away(page);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('.failure', { hasText: unreachable }).waitFor();
    expect(await page.locator('.result').count(), before);
    await back(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.result').nth(before).waitFor();
    await page.locator('.failure').waitFor({ state: 'detached' });
  },
  async 'more conversations that did not come can be asked for again'({ page, at }) {
    await page.goto(at('search'));
    await page.locator('.virtual .row').first().waitFor();
    await page.waitForLoadState('networkidle');
    await away(page);
    await toTheEnd(page);
    await page.locator('.failure', { hasText: unreachable }).waitFor();
    const end = await page.evaluate(() => document.querySelector('.virtual').offsetHeight);
    await back(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForFunction((before) => document.querySelector('.virtual').offsetHeight > before, end);
    await page.locator('.failure').waitFor({ state: 'detached' });
  },
  async 'more facts that did not come can be asked for again'({ page, at }) {
    const pages = (url) => url.pathname === '/memory/facts/search';
    await page.route(pages, (route) =>
      route.request().postDataJSON().cursor === undefined ? route.continue() : route.abort(),
    );
    await page.goto(at('facts', { about: 'all' }));
    // Where the list ends, not above what one has read.
    await page.locator('section:has(.fact-groups) ~ .failure', { hasText: unreachable }).waitFor();
    const before = await page.locator('.fact').count();
    await page.unroute(pages);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.fact').nth(before).waitFor();
    await page.locator('.failure').waitFor({ state: 'detached' });
  },
  async 'an outage is told in the language of the page'({ page, at }) {
    await page.goto(at('search'));
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('link', { name: 'Fragen' }).click();
    await page.getByLabel('Deine Frage').fill('Wo wohne ich?');
    await away(page);
    await page.keyboard.press('Enter');
    await page.locator('.failure', { hasText: 'Threadkeep ist nicht erreichbar' }).waitFor();
  },
};

/** Scrolls until there is nothing more to scroll to. */
function toTheEnd(page) {
  return page.waitForFunction(() => {
    window.scrollBy(0, 4_000);
    return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
  });
}

// Words of any length fit: every language, from a phone to a desk.
import { viewNames } from './browser.mjs';

const languages = ['en', 'es', 'de'];

export const layoutFlows = {
  async 'the menu is whole at 1280 in every language'({ page, at, expect }) {
    await menuIsWhole({ page, at, expect });
  },
  async 'no view scrolls sideways on a small phone'({ page, at, expect }) {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const language of languages) {
      await speak(page, at, language);
      for (const view of viewNames) {
        await page.goto(at(view));
        await page.locator('main :is(h1, h2)').first().waitFor();
        await page.waitForLoadState('networkidle');
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(`${language} ${view}: ${beyond} px beyond`, `${language} ${view}: 0 px beyond`);
      }
    }
  },
  async 'no button is smaller than its words, and no two words of a chart overlap'({ page, at, expect }) {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      for (const language of languages) {
        await speak(page, at, language);
        for (const view of ['keep', 'timeline', 'connect', 'review', 'ask']) {
          await page.goto(at(view));
          await page.locator('main :is(h1, h2)').first().waitFor();
          await page.waitForLoadState('networkidle');
          const where = `${language} ${view} at ${width}`;
          expect(`${where}: ${await page.evaluate(tooSmall)}`, `${where}: `);
        }
        await page.goto(at('timeline'));
        await page.locator('.appearances circle').first().waitFor();
        expect(
          `${language} months at ${width}: ${await page.evaluate(overlapping)}`,
          `${language} months at ${width}: `,
        );
      }
    }
  },
  async 'what waits is read beside the list, and what connects looks like a button'({ page, at, expect }) {
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(at('review'));
    const [list, item] = [page.locator('.pending'), page.locator('.reviewing .card')];
    await item.waitFor();
    const [left, right] = [await list.boundingBox(), await item.boundingBox()];
    expect(right.x >= left.x + left.width && Math.abs(right.y - left.y) < 20, true);
    await page.goto(at('connect'));
    const button = page.getByRole('button', { name: 'Connect: VS Code' });
    await button.waitFor();
    expect(await button.evaluate((each) => getComputedStyle(each).borderTopColor === 'rgba(0, 0, 0, 0)'), false);
  },
  async 'the history says where today, yesterday and each month begin'({ page, at, url, expect }) {
    const now = new Date();
    const justAfterMidnight = (days) =>
      new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 0, 1).toISOString();
    // A source of its own: the other flows store conversations of today too.
    for (const [days, title] of [
      [0, 'A note of today'],
      [1, 'A note of yesterday'],
      [1, 'Another note of yesterday'],
      [90, 'A note of long ago'],
    ]) {
      const data = {
        source: 'daily-notes',
        title,
        timestamp: justAfterMidnight(days),
        messages: [{ role: 'user', text: title }],
      };
      await page.request.post(`${url}/memory/insert`, { data });
    }
    await page.goto(at('search', { source: 'daily-notes' }));
    await page.locator('.row', { hasText: 'A note of today' }).locator('.group', { hasText: 'Today' }).waitFor();
    const groups = await page.locator('.row .group').allTextContents();
    expect(groups.length, 3);
    expect(groups[1], 'Yesterday');
    expect(await page.locator('.row').count(), 4);
  },
  async 'a result reads as text, without the marks of Markdown'({ page, at, expect }) {
    await page.goto(at('search', { q: 'shelf board screw' }));
    await page.locator('[aria-busy=false] .result mark').first().waitFor();
    const shown = (await page.locator('.result .passage').allTextContents()).join(' ');
    expect(/\|:?-|\*\*|```|\[x\]/.exec(shown)?.[0] ?? '', '');
    expect(shown.includes('☑ measured'), true);
  },
};

/** Runs in the page: the words of the buttons that are cut off or stick out. */
function tooSmall() {
  return [...document.querySelectorAll('main button, main a.button')]
    .filter((each) => each.offsetParent !== null && !each.closest('.unseen'))
    .filter((each) => each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 2)
    .map((each) => each.textContent.trim())
    .join(', ');
}

/** Runs in the page: the months above the map that stand on the one before. */
function overlapping() {
  const boxes = [...document.querySelectorAll('.appearances > .scroll-x > svg > text')].map((each) => ({
    words: each.textContent,
    box: each.getBoundingClientRect(),
  }));
  return boxes
    .filter(({ box }, index) => index > 0 && box.left < boxes[index - 1].box.right)
    .map(({ words }) => words)
    .join(', ');
}

/** Nothing of the menu has to be scrolled to. */
export async function menuIsWhole({ page, at, expect }) {
  await page.setViewportSize({ width: 1280, height: 860 });
  for (const language of languages) {
    await speak(page, at, language);
    const hidden = await page.locator('header nav').evaluate((menu) => menu.scrollWidth - menu.clientWidth);
    expect(`${language}: ${hidden} px hidden`, `${language}: 0 px hidden`);
  }
}

async function speak(page, at, language) {
  await page.goto(at('search'));
  await page.locator('header select').last().selectOption(language);
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
}

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
};

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

// Pictures of every view, light and dark, on a phone and on a desk, from a store that is made up.
//   npm run screenshots [-- --to FOLDER]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser, startServer, viewNames, watchedPage } from './console/browser.mjs';
import { people } from './console/flows-people.mjs';
import { markdown } from './console/reading.mjs';
import { seed } from './console/seed.mjs';
import { makeReady, root } from './ready.mjs';

const { values } = parseArgs({ options: { to: { type: 'string', default: join(root, 'screenshots') } } });
makeReady();
const sizes = { desktop: { width: 1280, height: 820 }, phone: { width: 390, height: 844 } };
const shown = {
  ...Object.fromEntries(viewNames.map((name) => [name, name])),
  search: 'search?q=telescope%20kyoto',
  recent: 'search',
  person: 'people?name=Fiona',
  reading: 'search?q=shelf%20board%20screw',
  ask: `ask?q=${encodeURIComponent('Where do I live?')}`,
};

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-screenshots-'));
// The browser first: it keeps the process alive while the store's own threads, which do not, do the work.
const browser = await openBrowser();
// The tagger takes "the canoe in Quito", made up by rule, for a home.
writeFileSync(join(folder, 'config.yaml'), 'models:\n  tagger: false\n');
await seed(folder, { count: 600, extra: [markdown, ...people] });
const server = await startServer(folder);
try {
  mkdirSync(values.to, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries(sizes)) {
      const { page, context } = await watchedPage(browser, server.url, { viewport, colorScheme, locale: 'en-GB' });
      for (const [name, place] of Object.entries(shown)) {
        await page.goto('about:blank');
        await page.goto(`${server.url}/#/${place}`);
        await page.locator('main :is(h1, h2, .result)').first().waitFor();
        await page.waitForLoadState('networkidle');
        if (name === 'search' || name === 'reading') {
          await page.locator('[data-result]').first().click();
          await page.locator('.pane .turn').first().waitFor();
        }
        await page.screenshot({ path: join(values.to, `${name}-${size}-${colorScheme}.png`) });
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${Object.keys(shown).length * 4} pictures in ${values.to}`);

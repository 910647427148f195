// Pictures of every view, light and dark, at four sizes, from a store that is made up; and a sheet of each view with all eight.
//   npm run screenshots [-- --to FOLDER] [--only VIEW,VIEW]
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser, startServer, viewNames, watchedPage } from './console/browser.mjs';
import { people } from './console/flows-people.mjs';
import { markdown } from './console/reading.mjs';
import { seed } from './console/seed.mjs';
import { makeReady, root } from './ready.mjs';

const { values } = parseArgs({
  options: { to: { type: 'string', default: join(root, 'screenshots') }, only: { type: 'string', default: '' } },
});
makeReady();
const sizes = {
  wide: { width: 1680, height: 1000 },
  laptop: { width: 1280, height: 820 },
  tablet: { width: 820, height: 1100 },
  phone: { width: 390, height: 844 },
};
const schemes = ['light', 'dark'];
const all = {
  ...Object.fromEntries(viewNames.map((name) => [name, name])),
  search: 'search?q=telescope%20kyoto',
  recent: 'search',
  person: 'people?name=Fiona',
  reading: 'search?q=shelf%20board%20screw',
  ask: `ask?q=${encodeURIComponent('Where do I live?')}`,
  conflicts: 'facts?about=conflicts',
};
/** Further down than the window shows. */
const whole = new Set(['timeline', 'keep', 'health']);
const wanted = values.only.split(',').filter((name) => name !== '');
const shown = Object.fromEntries(Object.entries(all).filter(([name]) => wanted.length === 0 || wanted.includes(name)));

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-screenshots-'));
// The browser first: it keeps the process alive while the store's own threads, which do not, do the work.
const browser = await openBrowser();
// The tagger takes "the canoe in Quito", made up by rule, for a home.
writeFileSync(join(folder, 'config.yaml'), 'models:\n  tagger: false\n');
await seed(folder, { count: 600, extra: [markdown, ...people] });
const server = await startServer(folder);
try {
  mkdirSync(values.to, { recursive: true });
  for (const colorScheme of schemes) {
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
        await page.screenshot({ path: pictureOf(name, size, colorScheme), fullPage: whole.has(name) });
      }
      await context.close();
    }
  }
  for (const name of Object.keys(shown)) await drawSheet(name);
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${Object.keys(shown).length * 8} pictures in ${values.to}`);

function pictureOf(name, size, colorScheme) {
  return join(values.to, `${name}-${size}-${colorScheme}.png`);
}

/** All pictures of a view side by side, to look at. */
async function drawSheet(name) {
  const page = await browser.newPage({ viewport: { width: 2000, height: 900 } });
  const rows = schemes.map((scheme) => {
    const pictures = Object.entries(sizes).map(([size, { width }]) => {
      const data = readFileSync(pictureOf(name, size, scheme)).toString('base64');
      return `<img style="width:${Math.round(width * 0.46)}px" src="data:image/png;base64,${data}">`;
    });
    return `<div style="display:flex;gap:12px;align-items:flex-start;margin:12px">${pictures.join('')}</div>`;
  });
  await page.setContent(`<body style="margin:0;background:#888">${rows.join('')}</body>`);
  await page.screenshot({ path: join(values.to, `sheet-${name}.png`), fullPage: true });
  await page.close();
}

// What a person waits for in the console, in a browser, on a store of a given size: load and interaction.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser, startServer, watchedPage } from '../scripts/console/browser.mjs';
import { firstLoadKilobytes, limits, typing } from '../scripts/console/measure.mjs';
import { seed } from '../scripts/console/seed.mjs';

const rounds = 5;

/** With `store`, a folder that is filled once and used again. */
export async function benchConsole({ conversations, store }) {
  const folder = store ?? mkdtempSync(join(tmpdir(), 'threadkeep-bench-'));
  const browser = await openBrowser();
  await filled(folder, conversations);
  const server = await startServer(folder);
  try {
    const load = [];
    const views = [];
    for (let round = 0; round < rounds; round++) {
      load.push(await inPage(browser, server.url, loading));
      views.push(await inPage(browser, server.url, (parts) => moving(parts)));
    }
    const typed = await inPage(browser, server.url, ({ page, at }) => typing(page, at));
    const scrolled = await inPage(browser, server.url, scrolling);
    const report = {
      conversations,
      processors: cpus().length,
      load_average: loadavg()[0],
      first_load_kb: firstLoadKilobytes(),
      load: mediansOf(load),
      interaction: mediansOf(views),
      typing: typed,
      scrolling: scrolled,
    };
    print(report);
    return report;
  } finally {
    await browser.close();
    await server.stop();
    if (store === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function filled(folder, conversations) {
  const mark = join(folder, `filled-${conversations}`);
  if (existsSync(mark)) return console.log(`${conversations.toLocaleString('en')} conversations, stored before`);
  mkdirSync(folder, { recursive: true });
  // Searching and reading are measured, so what models add in the background is left out: it takes hours to make.
  writeFileSync(join(folder, 'config.yaml'), 'models:\n  tagger: false\n  deep_index: false\n');
  const from = performance.now();
  await seed(folder, { count: conversations, inFlight: 512 });
  writeFileSync(mark, '');
  const seconds = (performance.now() - from) / 1_000;
  console.log(
    `${conversations.toLocaleString('en')} conversations stored in ${seconds.toFixed(0)} s (${(conversations / seconds).toFixed(0)} a second)`,
  );
}

async function inPage(browser, url, run) {
  const { page, context, faults } = await watchedPage(browser, url, { locale: 'en-GB' });
  page.setDefaultTimeout(60_000);
  await context.addInitScript(watchPaint);
  const at = (view, params = {}) => `${url}/#/${view}?${new URLSearchParams(params)}`;
  try {
    const result = await run({ page, url, at });
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return result;
  } finally {
    await context.close();
  }
}

/** Runs in the page: the browser's own books of painting, blocking and shifting. */
function watchPaint() {
  globalThis.seen = { largest: 0, blocked: 0, shift: 0, slowest: 0 };
  const watch = (type, take, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', ({ startTime }) => {
    seen.largest = startTime;
  });
  watch('longtask', ({ duration }) => {
    seen.blocked += duration - 50;
  });
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) seen.shift += value;
  });
  watch(
    'event',
    ({ duration }) => {
      seen.slowest = Math.max(seen.slowest, duration);
    },
    { durationThreshold: 16 },
  );
}

/** A first visit: nothing is in the browser's cache. */
async function loading({ page, url }) {
  const from = performance.now();
  await page.goto(`${url}/`);
  await page.locator('[data-result], .virtual li').first().waitFor();
  const usable = performance.now() - from;
  await page.waitForLoadState('networkidle');
  const { first, largest, blocked, shift } = await page.evaluate(() => ({
    ...globalThis.seen,
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }));
  return {
    'first contentful paint, ms': first,
    'largest contentful paint, ms': largest,
    'recent conversations shown, ms': usable,
    'total blocking time, ms': blocked,
    'cumulative layout shift': shift,
  };
}

/** From a key or a click to what was wanted. */
async function moving({ page, at }) {
  await page.goto(at('search'));
  await page.locator('.virtual li').first().waitFor();
  const times = {};
  const timed = async (name, act, shown) => {
    const from = performance.now();
    await act();
    await page.locator(shown).first().waitFor();
    times[`${name}, ms`] = performance.now() - from;
  };
  await timed('search: results', () => page.getByRole('searchbox').fill('telescope kyoto'), '.result mark');
  await timed('open a result', () => page.locator('[data-result]').first().click(), '.pane .turn.matched');
  await timed('facts', () => page.goto(at('facts')), '.fact');
  await timed('timeline: calendar', () => page.goto(at('timeline')), '.heat-map a');
  await timed('timeline: map and digest', () => Promise.resolve(), '.appearances circle');
  await timed('health: stored by source', () => page.goto(at('health')), '.stored meter');
  await timed('import & export: fields', () => page.goto(at('keep')), '.forget input[name=tags]:enabled');
  times['slowest interaction, ms'] = await page.evaluate(() => globalThis.seen.slowest);
  return times;
}

/** Wheels down the list of everything for three seconds: how often the browser drew, and the longest gap. */
async function scrolling({ page, at }) {
  await page.goto(at('search'));
  await page.locator('.virtual li').first().waitFor();
  await page.mouse.move(600, 500);
  await page.evaluate(() => {
    globalThis.frames = [];
    const note = (time) => {
      frames.push(time);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const until = performance.now() + 3_000;
  while (performance.now() < until) await page.mouse.wheel(0, 900);
  const gaps = await page.evaluate(() => frames.slice(1).map((time, index) => time - frames[index]));
  gaps.sort((one, other) => one - other);
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1_000;
  return { 'frames a second': gaps.length / seconds, 'longest gap, ms': gaps.at(-1) ?? 0 };
}

function mediansOf(results) {
  return Object.fromEntries(
    Object.keys(results[0]).map((name) => {
      const values = results.map((result) => result[name]).sort((one, other) => one - other);
      return [name, values[Math.floor(values.length / 2)]];
    }),
  );
}

function print({
  conversations,
  processors,
  load_average,
  first_load_kb,
  load,
  interaction,
  typing: typed,
  scrolling,
}) {
  const line = (name, value, digits = 0) => console.log(`${name.padEnd(34)} ${value.toFixed(digits).padStart(8)}`);
  console.log(
    `\nthe console with ${conversations.toLocaleString('en')} conversations, Chromium, ${processors} processors, load ${load_average.toFixed(1)}; medians of ${rounds}`,
  );
  line(`first load, KB gzipped (of ${limits.firstLoad})`, first_load_kb, 1);
  for (const [name, value] of Object.entries(load)) line(name, value, name.endsWith('shift') ? 3 : 0);
  for (const [name, value] of Object.entries(interaction)) line(name, value);
  line('search as one types p50, ms', typed.p50);
  line(`search as one types p95, ms (of ${limits.typing})`, typed.p95);
  for (const [name, value] of Object.entries(scrolling)) line(name, value);
}

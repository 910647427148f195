// The console in a real browser against the real server: every flow, axe on every view, the policy, stored scripts, figures.
//   node scripts/rings/console.mjs [--conversations N] [--smoke] [--large] [--only WORDS [--all-found]] [--browser firefox]
//   --large is --smoke on 100,000; --only runs what has one of these words, separated by commas, in its name;
//   --all-found fails if one of them is in no name
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { battery, markdownBattery, poisoned } from '../console/battery.mjs';
import { openBrowser, startServer, viewNames, watchedPage } from '../console/browser.mjs';
import { flows, signedInFlows } from '../console/flows.mjs';
import { askFlows } from '../console/flows-ask.mjs';
import { conflictFlows } from '../console/flows-conflicts.mjs';
import { connectFlows, signedInConnectFlows } from '../console/flows-connect.mjs';
import { factFlows } from '../console/flows-facts.mjs';
import { firstMonth, firstMonthFlows, waitingForReview } from '../console/flows-first-month.mjs';
import { focusFlows } from '../console/flows-focus.mjs';
import { importFlows } from '../console/flows-imports.mjs';
import { layoutFlows } from '../console/flows-layout.mjs';
import { outageFlows } from '../console/flows-outage.mjs';
import { people, peopleFlows } from '../console/flows-people.mjs';
import { readingFlows } from '../console/flows-reading.mjs';
import { settingsFlows } from '../console/flows-settings.mjs';
import { timelineFlows } from '../console/flows-timeline.mjs';
import { firstLoadKilobytes, firstPaint, gzippedKilobytes, limits, typing } from '../console/measure.mjs';
import { payloads } from '../console/payloads.mjs';
import { poisonedMarkdown, readings } from '../console/reading.mjs';
import { seed } from '../console/seed.mjs';
import { makeReady, root } from '../ready.mjs';

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '2000' },
    smoke: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'all-found': { type: 'boolean', default: false },
    browser: { type: 'string', default: 'chromium' },
  },
});
const onlySmoke = values.smoke || values.large;
makeReady();
const browser = await openBrowser(values.browser);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Places worth a look beyond the views themselves. */
const opened = [
  'search?q=violin',
  'search?q=violin&open',
  'ask?q=Where do I live%3F',
  'ask?q=Where do I live and what is my dog called%3F&earlier=Do I play the violin%3F',
  'facts?about=all',
  'facts?about=conflicts',
  'connect?client=cursor',
  'people?name=Fiona',
  'search?q=shelfword&open',
  'no-such-view',
];
/** What the driver cannot do there, see test/README.md; axe and the figures are those of Chromium. */
const notInFirefox =
  /^axe|^the first paint|keeps up with typing|exported|certifies|three thousand messages|a link is copied|what to paste is copied|slow machine|wherever it is dropped/;
const wanted = values.only.split(',');
const found = new Set();
let passed = 0;
let failed = 0;

try {
  const count = values.large ? 100_000 : Number(values.conversations);
  if (onlySmoke) await onStore({ count }, smoke);
  else {
    await onStore({ count, extra: [...poisoned(), ...readings, ...people] }, everything);
    await onStore({ count: 0, told: [], extra: firstMonth, waiting: waitingForReview }, inFirstMonth);
    await withAccounts();
  }
} finally {
  await browser.close();
}
if (values['all-found']) {
  for (const words of wanted.filter((each) => !found.has(each))) {
    failed += 1;
    console.error(`failed: no check has "${words}" in its name`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function everything(url) {
  await check('the console is small', url, async ({ expect }) => {
    const [first, all] = [firstLoadKilobytes(), gzippedKilobytes()];
    console.log(`  ${first.toFixed(1)} KB gzipped of ${limits.firstLoad} to begin with, ${all.toFixed(1)} in all`);
    expect(first <= limits.firstLoad, true);
    expect(all <= limits.kilobytes, true);
  });
  await smoke(url);
  for (const [name, flow] of Object.entries({
    ...outageFlows,
    ...flows,
    ...askFlows,
    ...factFlows,
    ...conflictFlows,
    ...connectFlows,
    ...peopleFlows,
    ...settingsFlows,
    ...timelineFlows,
    ...importFlows,
    ...readingFlows,
    ...layoutFlows,
    ...focusFlows,
  }))
    await check(name, url, flow);
  for (const colorScheme of ['light', 'dark']) {
    for (const view of [...viewNames, ...opened]) {
      await check(`axe finds nothing on ${view} (${colorScheme})`, url, (parts) => accessible(parts, view), {
        colorScheme,
      });
    }
  }
  await check(`${payloads.length} stored scripts stay text`, url, battery);
  await check(`${poisonedMarkdown.length} scripts in Markdown stay text`, url, markdownBattery);
}

async function inFirstMonth(url) {
  for (const [name, flow] of Object.entries(firstMonthFlows)) await check(name, url, flow);
}

/** Also for the largest store: it opens at once, scrolls, finds and draws the timeline. */
async function smoke(url) {
  await check('the first paint comes at once', url, async ({ page, expect }) => {
    const milliseconds = await firstPaint(page, url);
    console.log(`  first paint after ${milliseconds.toFixed(0)} ms (wanted: ${limits.firstPaint})`);
    // Three times as much is allowed where several things run on one machine.
    expect(milliseconds < 3 * limits.firstPaint, true);
  });
  await check('search keeps up with typing', url, async ({ page, at, expect }) => {
    const { searches, p50, p95 } = await typing(page, at);
    console.log(
      `  ${searches} searches: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (wanted: ${limits.typing})`,
    );
    // Only what cannot be the fault of other work on the machine fails; the figures above are the report.
    expect(p50 < 10 * limits.typing, true);
  });
  await check('the timeline draws every day', url, async ({ page, at }) => {
    await page.goto(at('timeline'));
    await page.locator('.heat-map a').first().waitFor();
  });
}

async function accessible({ page, url, expect }, view) {
  await page.goto(`${url}/#/${view}`);
  await page.locator('main :is(h1, h2, input)').first().waitFor();
  if (view.endsWith('&open')) {
    await page.locator('[data-result]').first().click();
    await page.locator('.pane .turn').first().waitFor();
  }
  await page.waitForLoadState('networkidle');
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const told = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html.slice(0, 160)}`);
  expect(told.join('\n'), '');
}

async function withAccounts() {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-console-'));
  writeFileSync(join(folder, 'config.yaml'), 'api:\n  auth: bearer_token\nlimits:\n  max_top_k: 4\n');
  let token = '';
  const prepare = async ({ access: { administration } }) => {
    const { createUser } = await import(join(root, 'dist/auth/users.js'));
    const { createToken } = await import(join(root, 'dist/auth/tokens.js'));
    const { createProject } = await import(join(root, 'dist/auth/projects.js'));
    for (const name of ['nora', 'omar']) await createUser(administration, { name });
    ({ token } = await createToken(administration, { user: 'nora', displayName: payloads[0] }));
    await createToken(administration, { user: 'nora', displayName: 'spare' });
    const [name, description] = [payloads[16], payloads[0]];
    await createProject(administration, { id: 'team', owner: 'nora', name, description });
  };
  await seed(folder, { count: 5, prepare });
  const server = await startServer(folder);
  try {
    for (const [name, flow] of Object.entries({ ...signedInFlows, ...signedInConnectFlows })) {
      await check(name, server.url, (parts) => flow({ ...parts, token }));
    }
    await check('axe finds nothing on sign-in', server.url, (parts) => accessible(parts, 'search'));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onStore(content, run) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-console-'));
  // The flows are about the facts that are plainly said. The tagger takes "the canoe in Quito", made up by rule, for a home.
  writeFileSync(join(folder, 'config.yaml'), 'models:\n  tagger: false\n');
  const started = performance.now();
  await seed(folder, content);
  console.log(`${content.count} conversations stored in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  const server = await startServer(folder);
  try {
    await run(server.url);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function check(name, url, run, options = {}) {
  const words = wanted.find((each) => name.includes(each));
  if (words === undefined) return;
  found.add(words);
  if (values.browser === 'firefox' && notInFirefox.test(name)) return;
  const { page, context, faults } = await watchedPage(browser, url, { locale: 'en-GB', ...options });
  page.setDefaultTimeout(15_000);
  const at = (view, params = {}) => `${url}/#/${view}?${new URLSearchParams(params)}`;
  try {
    await run({ page, url, at, expect });
    if (faults.length > 0) throw new Error(faults.join('\n'));
    passed += 1;
    console.log(`ok: ${name}`);
  } catch (error) {
    failed += 1;
    console.error(`failed: ${name}\n `, error.message);
  }
  await context.close();
}

function expect(got, wanted) {
  if (got !== wanted) throw new Error(`expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
}

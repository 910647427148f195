// Figures of the console: what it weighs, when it first paints, how fast it answers while a person types.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../ready.mjs';

export const limits = { firstLoad: 120, kilobytes: 250, firstPaint: 500, typing: 100 };

const folder = join(root, 'dist', 'console');

export function gzippedKilobytes() {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return weightOf(files.map(({ parentPath, name }) => join(parentPath, name)));
}

/** The page and what it names; the rest comes when it is needed. */
export function firstLoadKilobytes() {
  const page = join(folder, 'index.html');
  const named = [...readFileSync(page, 'utf8').matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path]) => path);
  return weightOf([page, ...named.map((path) => join(folder, path))]);
}

function weightOf(files) {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0) / 1_000;
}

export async function firstPaint(page, url) {
  await page.goto(`${url}/`);
  await page.locator('h2').first().waitFor();
  return page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
}

const typedWords = ['telescope', 'sourdough rome', 'violin noise', 'espresso malmö', 'receipt', 'greenhouse spring'];

/**
 * Letter by letter: how long each search took in the browser's own books. One that was given up has no start there. A
 * first word is not counted: the server has just started, and reads what it keeps in memory.
 */
export async function typing(page, at) {
  await page.goto(at('search'));
  await page.evaluate(() => performance.setResourceTimingBufferSize(5_000));
  await type(page, ['kayak rack']);
  await page.evaluate(() => performance.clearResourceTimings());
  await type(page, typedWords);
  const times = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name, requestStart }) => name.endsWith('/memory/search') && requestStart > 0)
      .map(({ requestStart, responseEnd }) => responseEnd - requestStart),
  );
  times.sort((one, other) => one - other);
  const part = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { searches: times.length, p50: part(0.5), p95: part(0.95) };
}

async function type(page, texts) {
  for (const words of texts) {
    await page.getByRole('searchbox').fill('');
    for (const letter of words) {
      await page.keyboard.type(letter);
      await page.waitForTimeout(90);
    }
    await page.locator('[aria-busy=false] .result').first().waitFor();
  }
}

import { describe, expect, it } from 'vitest';
import { entryPoints, reading } from './entry-points.js';
import { sizes, slowUnits } from './growth.js';
import { hostileUnits } from './hostile-units.js';

/*
 * A part of the product of entry points and hostile units, small enough for every run of the tests; the ring
 * `node scripts/rings/growth.mjs` tries half of it, with texts of 64 KB.
 */

const allowance = 120_000;
/** Each entry point meets another share of the units, and all of them together meet all. */
const shares = 12;
const names = Object.keys(entryPoints);

describe('the time to read a hostile text', () => {
  it('is tried at every entry point with many units', () => {
    expect(names.length).toBeGreaterThanOrEqual(80);
    expect(hostileUnits.length).toBeGreaterThanOrEqual(150);
  });

  it.each(Object.entries(entryPoints))('grows with its length: %s', { timeout: allowance }, async (name, read) => {
    const first = names.indexOf(name) % shares;
    const units = hostileUnits.filter((_, index) => index % shares === first);
    expect(await slowUnits(reading(read), units, [8_192, 32_768])).toEqual([]);
  });
});

/** What a review or the ring found, with a length that took seconds. */
describe('a finding', () => {
  it.each([
    ['insert: tags', { unit: 'A-' }],
    ['insert: tags', { unit: "A'" }],
    ['insert: tags', { unit: 'I’' }],
    ['import: ChatGPT marks', { unit: ' ' }],
    ['import: chatgpt', { head: '\ue200cite\ue201', unit: ' ' }],
    ['indexTerms', { head: 'a', unit: '\u0316\u0301' }],
    ['search: terms', { head: 'a', unit: '\u0316\u0301' }],
    ['facts: key', { head: 'a', unit: '\u0316\u0301' }],
    ['readQuestion', { head: 'a', unit: '\u0316\u0301' }],
    ['mentionsTime', { head: 'a', unit: '\u0316\u0301' }],
    ['embedding: hash', { head: 'a', unit: '\u0316\u0301' }],
    ['embedding: static', { head: 'a', unit: '\u0316\u0301' }],
    ['insert: sentences', { unit: '*' }],
    ['prepare', { unit: '*' }],
    ['prepare', { unit: 'Authorization: Basic ' }],
    ['search: highlight', { unit: '*' }],
    ['search: highlight', { unit: 'a ' }],
    ['search: highlight', { unit: '漢' }],
  ])('is closed: %s of %j', { timeout: allowance }, async (name, unit) => {
    const read = entryPoints[name];
    if (read === undefined) throw new Error(`no entry point ${name}`);
    expect(await slowUnits(reading(read), [unit], sizes)).toEqual([]);
  });
});

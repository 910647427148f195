// First, so that it sees every expression made.
import './patterns.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { importers } from '../../src/importers/table.js';
import { entryPoints, importSteps, lengthsFor, reading } from './entry-points.js';
import { slowUnits } from './growth.js';
import { type HostileUnit, hostileUnits } from './hostile-units.js';
import { unitsOfPatterns } from './pattern-units.js';
import { patternsOfProgram } from './patterns.js';

/*
 * A part of the product of entry points and hostile units, small enough for every run of the tests; the ring
 * `node scripts/rings/growth.mjs` tries more of it, with texts up to 256 KB.
 */

const allowance = 120_000;
/** Each entry point meets another share of the units, and all of them together meet all. */
const shares = 12;
const names = Object.keys(entryPoints);
/** Units made from the expressions of the program: every eighth meets one entry point here. */
let made: HostileUnit[] = [];

beforeAll(async () => {
  // Some expressions are made when they are first needed.
  for (const read of Object.values(entryPoints)) await reading(read)('I live in Rome with "Eva" since 2026-01-01.');
  made = unitsOfPatterns(patternsOfProgram());
});

describe('the time to read a hostile text', () => {
  it('is tried at every entry point with many units', () => {
    expect(names.length).toBeGreaterThanOrEqual(140);
    expect(hostileUnits.length).toBeGreaterThanOrEqual(150);
    expect(made.length).toBeGreaterThanOrEqual(4_000);
  });

  it('is tried with every importer, and each finds the text that it is given', async () => {
    const tried = new Set(Object.keys(importSteps).map((name) => name.replace('import: ', '').split('/')[0]));
    expect(importers.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
    for (const [name, read] of Object.entries(importSteps)) {
      expect({ name, found: (await read('A plain text.')) > 0 }).toEqual({ name, found: true });
    }
  });

  it.each(Object.entries(entryPoints))('grows with its length: %s', { timeout: allowance }, async (name, read) => {
    const at = names.indexOf(name);
    const units = hostileUnits.filter((_, index) => index % shares === at % shares);
    const own = made.filter((_, index) => index % (8 * names.length) === at);
    expect(await slowUnits(reading(read), [...units, ...own], [8_192, 32_768])).toEqual([]);
  });
});

/** What a review or the ring found, with a length that took seconds. */
describe('a finding', () => {
  it('is closed also where what is read is capped: blanks behind a date take no time', () => {
    for (const name of ['timeIntent', 'timesSaid', 'readQuestion']) {
      const read = reading(entryPoints[name] ?? (() => undefined));
      read('monday, el ano');
      const before = process.cpuUsage();
      for (const head of ['monday,', 'el ano', 'jahre', 'у 1911']) read(`${head}${' '.repeat(4_000)}x`);
      // Seconds each, before.
      expect({ name, isQuick: process.cpuUsage(before).user < 1_500_000 }).toEqual({ name, isQuick: true });
    }
  });

  it.each([
    ['insert: tags', { unit: 'A-' }],
    ['insert: tags', { unit: '**Zorbla Gix "' }],
    ['insert: tags', { unit: '(Zorbla Gix, ' }],
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
    ['import: perplexity', { unit: '\n' }],
    ['timeIntent', { head: 'monday,', unit: ' ' }],
    ['timeIntent', { head: 'у 1911', unit: ' ' }],
    ['timesSaid', { head: 'el ano', unit: ' ' }],
    ['readQuestion', { head: 'jahre', unit: ' ' }],
    ['ask: facts asked for', { head: 'lundi,', unit: ' ' }],
    ['insert: clauses', { head: 'I own a car', unit: ' ' }],
    ['language model: events', { unit: 'a' }],
    ['language model: facts in a fence', { unit: ' ' }],
    ['language model: sentences in pieces', { unit: ' ' }],
    ['import: cursor-agent', { head: 'nachstem', unit: ' ' }],
    ['insert: tags', { unit: 'Zorbla Instagram Stories frobnicate marmalade. ' }],
    ['companion: a message', { head: 'x', unit: ' ' }],
    ['companion: code', { head: 'x', unit: '\n' }],
    ['console: Markdown', { unit: '_a' }],
    ['search: exactness of a part', { unit: 'a\u0316\u0301' }],
    ['search: exactness of a part', { unit: 'aa ' }],
    // A long word that is almost the query, again and again.
    ['search: exactness of a long word', { unit: `${'a'.repeat(4_095)} ` }],
    ['search: best part', { unit: 'a\u200b' }],
    ['search: highlights of its words', { unit: '漢' }],
    ['search: highlights of its words', { unit: 'aB' }],
  ])('is closed: %s of %j', { timeout: allowance }, async (name, unit) => {
    const read = entryPoints[name];
    if (read === undefined) throw new Error(`no entry point ${name}`);
    expect(await slowUnits(reading(read), [unit], lengthsFor(read))).toEqual([]);
  });
});

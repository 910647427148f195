// First, so that it sees every expression made.
import '../../growth/patterns.js';

import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryPoints, reading } from '../../growth/entry-points.js';
import { sizes, slowUnits } from '../../growth/growth.js';
import { type HostileUnit, hostileUnits, unitName } from '../../growth/hostile-units.js';
import { suspiciousUnits } from '../../growth/pattern-units.js';
import { patternsOfProgram } from '../../growth/patterns.js';

/*
 * At length, each entry point meets half of the units written by hand and a quarter of those made from expressions that
 * stumble over them. Within a time (GROWTH_SECONDS), each meets as many as fit into its share, at least a few, in an order
 * that the seed decides: other ones at each entry point and, in CI, every day.
 */

const names = Object.keys(entryPoints);
/** These take the most time by far. */
const costly = ['search: highlight', 'ask: answer', 'tokenizer: exact', 'embedding: static', 'snippetOf'];

const seconds = process.env.GROWTH_SECONDS === undefined ? undefined : Number(process.env.GROWTH_SECONDS);
const seed = Number(process.env.GROWTH_SEED ?? '0');
const fewest = 4;

let suspicious: HostileUnit[] = [];
let tried = 0;

beforeAll(async () => {
  // Some expressions are made when they are first needed.
  for (const read of Object.values(entryPoints)) await reading(read)('I live in Rome with "Eva" since 2026-01-01.');
  const patterns = patternsOfProgram();
  suspicious = suspiciousUnits(patterns);
  const counts = { expressions: patterns.length, units: hostileUnits.length, ofExpressions: suspicious.length };
  tell({ entryPoints: names.length, ...counts, ...(seconds === undefined ? {} : { seconds, seed }) });
});
afterAll(() => tell({ texts: tried }));

function tell(counts: object): void {
  writeSync(1, `growth: ${JSON.stringify(counts)}\n`);
}

/** Every so many, other ones than at the next entry point. */
function shareOf(units: readonly HostileUnit[], at: number, shares: number): HostileUnit[] {
  return units.filter((_, index) => index % shares === at % shares);
}

/** The same order for the same seed and entry point: those written by hand and those of expressions in turn. */
function* inOrderOf(at: number): Generator<HostileUnit> {
  const order = (units: readonly HostileUnit[]): HostileUnit[] =>
    units
      .map((unit) => ({
        unit,
        rank: createHash('sha256')
          .update(`${seed} ${at} ${unitName(unit)}`)
          .digest('hex'),
      }))
      .sort((one, other) => (one.rank < other.rank ? -1 : 1))
      .map(({ unit }) => unit);
  const [written, made] = [order(hostileUnits), order(suspicious)];
  for (let index = 0; index < Math.max(written.length, made.length); index++) {
    yield* [written[index], made[index]].filter((unit) => unit !== undefined);
  }
}

/** The units of an entry point, as many as its share of the time allows. */
function* withinTime(at: number, milliseconds: number): Generator<HostileUnit> {
  const ends = performance.now() + milliseconds;
  let given = 0;
  for (const unit of inOrderOf(at)) {
    if (given >= fewest && performance.now() >= ends) return;
    given += 1;
    yield unit;
  }
}

function unitsAt(name: string): Iterable<HostileUnit> {
  const at = names.indexOf(name);
  if (seconds !== undefined) return withinTime(at, (seconds * 1_000) / names.length);
  const fewer = costly.includes(name) ? 2 : 1;
  return [...shareOf(hostileUnits, at, 2 * fewer), ...shareOf(suspicious, at, 4 * fewer)];
}

function* counted(units: Iterable<HostileUnit>): Generator<HostileUnit> {
  for (const unit of units) {
    tried += 1;
    yield unit;
  }
}

describe('the time to read a hostile text', () => {
  it.each(Object.entries(entryPoints))('grows with its length: %s', { timeout: 600_000 }, async (name, read) => {
    expect(await slowUnits(reading(read), counted(unitsAt(name)), sizes)).toEqual([]);
  });
});

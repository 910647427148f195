// First, so that it sees every expression made.
import '../../growth/patterns.js';

import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryPoints, lengthsFor, reading } from '../../growth/entry-points.js';
import { slowUnits } from '../../growth/growth.js';
import { type HostileUnit, hostileUnits, unitName } from '../../growth/hostile-units.js';
import { suspiciousUnits } from '../../growth/pattern-units.js';
import { patternsOfProgram } from '../../growth/patterns.js';

/*
 * At length, each entry point meets every unit written by hand and those made from expressions that stumble over them.
 * Within a processor time (GROWTH_SECONDS), each meets as many as fit into its share, at least a few: each begins elsewhere
 * in the list, so that all together meet every unit written by hand. The seed decides where. A busy machine tries no fewer.
 */

const names = Object.keys(entryPoints);
const seconds = Number(process.env.GROWTH_SECONDS ?? 'Infinity');
const seed = Number(process.env.GROWTH_SEED ?? '0');
const fewest = 4;

let suspicious: HostileUnit[] = [];
let tried = 0;
const met = new Set<HostileUnit>();

beforeAll(async () => {
  // Some expressions are made when they are first needed.
  for (const read of Object.values(entryPoints)) await reading(read)('I live in Rome with "Eva" since 2026-01-01.');
  const patterns = patternsOfProgram();
  suspicious = suspiciousUnits(patterns);
  const counts = { expressions: patterns.length, units: hostileUnits.length, ofExpressions: suspicious.length };
  tell({ entryPoints: names.length, ...counts, ...(Number.isFinite(seconds) ? { seconds, seed } : {}) });
});
afterAll(() => tell({ texts: tried, written: hostileUnits.filter((unit) => met.has(unit)).length }));

function tell(counts: object): void {
  writeSync(1, `growth: ${JSON.stringify(counts)}\n`);
}

/** Those written by hand and those of expressions in turn, in the same order for the same seed and entry point. */
function* inOrderOf(at: number): Generator<HostileUnit> {
  const first = ((seed + at) * (fewest / 2)) % hostileUnits.length;
  const written = [...hostileUnits.slice(first), ...hostileUnits.slice(0, first)];
  const made = suspicious
    .map((unit) => ({
      unit,
      rank: createHash('sha256')
        .update(`${seed} ${at} ${unitName(unit)}`)
        .digest('hex'),
    }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1));
  for (let index = 0; index < Math.max(written.length, made.length); index++) {
    yield* [written[index], made[index]?.unit].filter((unit) => unit !== undefined);
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The units of an entry point, as many as its share of the time allows. */
function* unitsAt(name: string): Generator<HostileUnit> {
  const ends = processorTime() + (seconds * 1_000) / names.length;
  let given = 0;
  for (const unit of inOrderOf(names.indexOf(name))) {
    if (given >= fewest && processorTime() >= ends) return;
    given += 1;
    tried += 1;
    met.add(unit);
    yield unit;
  }
}

describe('the time to read a hostile text', () => {
  it.each(Object.entries(entryPoints))('grows with its length: %s', { timeout: 3_600_000 }, async (name, read) => {
    expect(await slowUnits(reading(read), unitsAt(name), lengthsFor(read))).toEqual([]);
  });

  it('is tried with every unit written by hand', () => {
    expect(hostileUnits.filter((unit) => !met.has(unit)).map(unitName)).toEqual([]);
  });
});

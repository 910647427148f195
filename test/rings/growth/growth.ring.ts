// First, so that it sees every expression made.
import '../../growth/patterns.js';

import { writeSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryPoints, reading } from '../../growth/entry-points.js';
import { sizes, slowUnits } from '../../growth/growth.js';
import { type HostileUnit, hostileUnits } from '../../growth/hostile-units.js';
import { suspiciousUnits } from '../../growth/pattern-units.js';
import { patternsOfProgram } from '../../growth/patterns.js';

const names = Object.keys(entryPoints);
/** These take the most time by far. */
const costly = ['search: highlight', 'ask: answer', 'tokenizer: exact', 'embedding: static', 'snippetOf'];

let suspicious: HostileUnit[] = [];
let tried = 0;

beforeAll(async () => {
  // Some expressions are made when they are first needed.
  for (const read of Object.values(entryPoints)) await reading(read)('I live in Rome with "Eva" since 2026-01-01.');
  const patterns = patternsOfProgram();
  suspicious = suspiciousUnits(patterns);
  const counts = { expressions: patterns.length, units: hostileUnits.length, ofExpressions: suspicious.length };
  tell({ entryPoints: names.length, ...counts });
});
afterAll(() => tell({ texts: tried }));

function tell(counts: object): void {
  writeSync(1, `growth: ${JSON.stringify(counts)}\n`);
}

/** Every so many, other ones than at the next entry point. */
function shareOf(units: readonly HostileUnit[], at: number, shares: number): HostileUnit[] {
  return units.filter((_, index) => index % shares === at % shares);
}

describe('the time to read a hostile text', () => {
  it.each(Object.entries(entryPoints))('grows with its length: %s', { timeout: 600_000 }, async (name, read) => {
    const at = names.indexOf(name);
    const fewer = costly.includes(name) ? 2 : 1;
    const units = [...shareOf(hostileUnits, at, 2 * fewer), ...shareOf(suspicious, at, 4 * fewer)];
    tried += units.length;
    expect(await slowUnits(reading(read), units, sizes)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { entryPoints, reading } from '../../growth/entry-points.js';
import { sizes, slowUnits } from '../../growth/growth.js';
import { hostileUnits } from '../../growth/hostile-units.js';

const names = Object.keys(entryPoints);
/** These take the most time by far. */
const costly = ['search: highlight', 'ask: answer', 'tokenizer: exact', 'embedding: static', 'snippetOf'];

describe('the time to read a hostile text', () => {
  it.each(Object.entries(entryPoints))('grows with its length: %s', { timeout: 170_000 }, async (name, read) => {
    // Every second or fourth unit, other ones than at the next entry point: the ring has to end within three minutes.
    const shares = costly.includes(name) ? 4 : 2;
    const first = names.indexOf(name) % shares;
    const units = hostileUnits.filter((_, index) => index % shares === first);
    expect(await slowUnits(reading(read), units, sizes)).toEqual([]);
  });
});

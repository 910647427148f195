import { describe, expect, it } from 'vitest';
import { entryPoints, reading } from '../../growth/entry-points.js';
import { sizes, slowUnits } from '../../growth/growth.js';
import { hostileUnits } from '../../growth/hostile-units.js';

const names = Object.keys(entryPoints);
/** Of 256 KB each entry point reads every fourth unit, another fourth than its neighbours; of 64 KB it reads all. */
const shares = 4;

describe('the time to read a hostile text', () => {
  it.each(Object.entries(entryPoints))('grows with its length: %s', { timeout: 170_000 }, async (name, read) => {
    const first = names.indexOf(name) % shares;
    const long = hostileUnits.filter((_, index) => index % shares === first);
    const others = hostileUnits.filter((_, index) => index % shares !== first);
    expect([
      ...(await slowUnits(reading(read), long, sizes)),
      ...(await slowUnits(reading(read), others, sizes.slice(0, 2))),
    ]).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { createAisle } from '../../../src/stores/vector/shared/aisle.js';
import fc from '../../support/properties.js';

it('has many inside together or one alone, and everybody gets through, whatever fails', async () => {
  const walk = fc.record({ alone: fc.boolean(), fails: fc.boolean(), steps: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(walk, { maxLength: 20 }), async (walks) => {
      const aisle = createAisle();
      const inside = { together: 0, alone: 0 };
      let most = 0;
      const ended = await Promise.allSettled(
        walks.map(({ alone, fails, steps }, number) =>
          aisle[alone ? 'alone' : 'together'](async () => {
            inside[alone ? 'alone' : 'together'] += 1;
            most = Math.max(most, inside.together);
            expect(inside.alone === 0 || (inside.alone === 1 && inside.together === 0)).toBe(true);
            for (let step = 0; step < steps; step++) await new Promise((resolve) => setImmediate(resolve));
            inside[alone ? 'alone' : 'together'] -= 1;
            if (fails) throw new Error('on purpose');
            return number;
          }),
        ),
      );
      expect(ended).toEqual(
        walks.map(({ fails }, value) =>
          fails ? { status: 'rejected', reason: new Error('on purpose') } : { status: 'fulfilled', value },
        ),
      );
      if (walks.every(({ alone, steps }) => !alone && steps > 0)) expect(most).toBe(walks.length);
    }),
  );
});

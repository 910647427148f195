import { expect, it } from 'vitest';
import { createReadWriteLock } from '../../src/concurrency/locks.js';
import fc from '../support/properties.js';

it('runs shared work concurrently and exclusive work alone, and finishes all of it even if some fails', async () => {
  const piece = fc.record({ exclusive: fc.boolean(), fails: fc.boolean(), steps: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      const lock = createReadWriteLock();
      const inside = { shared: 0, exclusive: 0 };
      let most = 0;
      const ended = await Promise.allSettled(
        pieces.map(({ exclusive, fails, steps }, number) =>
          lock[exclusive ? 'exclusive' : 'shared'](async () => {
            inside[exclusive ? 'exclusive' : 'shared'] += 1;
            most = Math.max(most, inside.shared);
            expect(inside.exclusive === 0 || (inside.exclusive === 1 && inside.shared === 0)).toBe(true);
            for (let step = 0; step < steps; step++) await new Promise((resolve) => setImmediate(resolve));
            inside[exclusive ? 'exclusive' : 'shared'] -= 1;
            if (fails) throw new Error('on purpose');
            return number;
          }),
        ),
      );
      expect(ended).toEqual(
        pieces.map(({ fails }, value) =>
          fails ? { status: 'rejected', reason: new Error('on purpose') } : { status: 'fulfilled', value },
        ),
      );
      if (pieces.every(({ exclusive, steps }) => !exclusive && steps > 0)) expect(most).toBe(pieces.length);
    }),
  );
});

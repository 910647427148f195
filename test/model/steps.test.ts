import { expect, it } from 'vitest';
import { finished, sorting } from '../../src/model/steps.js';
import fc from '../support/properties.js';

it('sorts in steps as at once, and keeps the order of equals', () => {
  const items = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });
  const property = fc.property(items, (some) => {
    // More than two runs, of which the last is not full.
    const all = Array.from({ length: 5_000 + some.length }, (_, place) => ({
      value: some[place % Math.max(1, some.length)] ?? 0,
      place,
    }));
    const compare = (one: { value: number }, other: { value: number }): number => one.value - other.value;
    expect(finished(sorting(all, compare))).toEqual(all.toSorted(compare));
  });
  fc.assert(property, { numRuns: 20 });
});

it('sorts nothing', () => {
  expect(finished(sorting([], () => 0))).toEqual([]);
});

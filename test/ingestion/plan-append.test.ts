import { describe, expect, it } from 'vitest';
import { planAppend } from '../../src/operations/insert/decide.js';
import fc from '../support/properties.js';

describe('planAppend', () => {
  it.each([
    // The worked example of the reference, then the bare continuations that are accepted beyond it.
    ['a1 a2', 'a1 a2 a3', { kind: 'append', from: 2 }],
    ['a1 a2 a3', 'a1', { kind: 'duplicate' }],
    ['a1 a2 a3', 'a1 a2 a3', { kind: 'duplicate' }],
    ['a1 a2 a3', 'b1', { kind: 'conflict' }],
    ['a1 a2 a3', 'a3 a4', { kind: 'append', from: 1 }],
    ['a1 a2 a3', 'a2 a3 a4 a5', { kind: 'append', from: 2 }],
    ['a1 a2 a3', 'a3', { kind: 'duplicate' }],
    ['a1 a2 a3', 'a2 a3', { kind: 'duplicate' }],
    ['a1 a2 a3', 'a4 a5', { kind: 'conflict' }],
    ['a1 a2 a3', 'a2 a4', { kind: 'conflict' }],
    ['a1 a2 a3', 'a2', { kind: 'conflict' }],
    ['a1 a2 a3', 'a1 b2 a3 a4', { kind: 'conflict' }],
    ['a1 a2 a3', 'a0 a1 a2 a3', { kind: 'conflict' }],
    // Repeated turns: the longest overlap at the seam counts.
    ['a yes yes', 'yes yes b', { kind: 'append', from: 2 }],
    ['yes yes', 'yes yes yes', { kind: 'append', from: 2 }],
    ['yes', 'yes yes', { kind: 'append', from: 1 }],
  ])('stored %j, sent %j: %j', (stored, sent, plan) => {
    expect(planAppend(stored.split(' '), sent.split(' '))).toEqual(plan);
  });

  it.each([
    ['a1 a2', 'a1 a2 a3', { kind: 'append', from: 2 }],
    ['a1 a2 a3', 'a1', { kind: 'duplicate' }],
    ['a1 a2 a1', 'a1 b2 b3', { kind: 'conflict' }],
    ['a1 a2 a3', 'a3 a4', { kind: 'conflict' }],
    ['a1 a2 a3', 'a2 a3', { kind: 'conflict' }],
  ])('stored %j, sent whole %j: %j', (stored, sent, plan) => {
    expect(planAppend(stored.split(' '), sent.split(' '), { sentWhole: true })).toEqual(plan);
  });

  const hashes = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 6 });

  it('appends exactly what follows the whole stored list', () => {
    fc.assert(
      fc.property(hashes, hashes, (stored, more) => {
        expect(planAppend(stored, [...stored, ...more])).toEqual({ kind: 'append', from: stored.length });
      }),
    );
  });

  it('calls every earlier state of the list a duplicate', () => {
    fc.assert(
      fc.property(hashes, fc.nat({ max: 5 }), (stored, cut) => {
        expect(planAppend(stored, stored.slice(0, Math.max(1, stored.length - cut)))).toEqual({ kind: 'duplicate' });
      }),
    );
  });

  it('never loses a stored message: an append continues the stored list', () => {
    fc.assert(
      fc.property(hashes, hashes, (stored, sent) => {
        const plan = planAppend(stored, sent);
        if (plan.kind !== 'append') return;
        expect(plan.from).toBeGreaterThanOrEqual(1);
        const repeated = sent.slice(0, plan.from);
        expect(stored.slice(stored.length - repeated.length)).toEqual(repeated);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { decodeCursor, deepest, encodeCursor, farthestOffset } from '../../src/retrieval/cursor.js';
import { expectRefusal, refusal } from '../support/failure.js';
import fc from '../support/properties.js';

const request = { query: 'bicycle', limit: 5 };

describe('decodeCursor', () => {
  it('begins at the beginning without a cursor', () => {
    expect(decodeCursor(undefined, request)).toEqual({ depth: 0, offset: 0 });
  });

  it('gives back every position that was encoded', () => {
    const position = fc.record({
      depth: fc.integer({ min: 0, max: deepest }),
      offset: fc.integer({ min: 0, max: 999_999 }),
    });
    fc.assert(
      fc.property(position, (at) => {
        expect(decodeCursor(encodeCursor(at, request), request)).toEqual(at);
      }),
    );
  });

  it('refuses a cursor of another request', () => {
    const cursor = encodeCursor({ depth: 0, offset: 5 }, request);
    const failure = refusal(() => decodeCursor(cursor, { ...request, limit: 6 }));
    expect(failure.message).toBe('cursor belongs to another search; repeat that search to continue');
  });

  it.each(['', 'abc', '-5', '5.0', ' 5', 'MC4w', '../..', '💥', Buffer.from('0.5.deadbeef').toString('base64url')])(
    'refuses the made-up cursor %j',
    (cursor) => {
      expectRefusal(() => decodeCursor(cursor, request), 'invalid_input', 'cursor');
    },
  );

  it('takes digits for a number of results to pass over', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: farthestOffset }), (skip) => {
        expect(decodeCursor(String(skip), request)).toEqual({ depth: 0, offset: 0, skip });
      }),
    );
    for (const far of [String(farthestOffset + 1), '9'.repeat(200)]) {
      expectRefusal(() => decodeCursor(far, request), 'invalid_input', 'cursor');
    }
  });

  it('refuses a position that no answer gives', () => {
    const cursor = encodeCursor({ depth: deepest + 1, offset: 0 }, request);
    expectRefusal(() => decodeCursor(cursor, request), 'invalid_input', 'cursor');
  });

  it('refuses any other text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (cursor) => {
        fc.pre(!/^\d+$/.test(cursor));
        expectRefusal(() => decodeCursor(cursor, request), 'invalid_input', 'cursor');
      }),
    );
  });
});

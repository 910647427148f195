import { describe, expect, it } from 'vitest';
import {
  cursorPattern,
  decodeCursor,
  deepest,
  encodeCursor,
  farthestOffset,
  sealCursor,
  startPattern,
} from '../../src/retrieval/cursor.js';
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
    expect(failure).toMatchObject({ code: 'not_found' });
    expect(failure.message).toBe('cursor belongs to another request; repeat that request to get its next page');
  });

  it.each(['', 'abc', '-5', '5.0', ' 5', 'MC4w', '../..', '💥', 'MC4w.0123456789abcde', '.0123456789abcdef'])(
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

  it('does not find a position that no answer gives, nor one that was changed', () => {
    const beyond = encodeCursor({ depth: deepest + 1, offset: 0 }, request);
    const [, seal] = encodeCursor({ depth: 0, offset: 5 }, request).split('.');
    const changed = `${Buffer.from('0 6').toString('base64url')}.${seal}`;
    for (const cursor of [beyond, changed, sealCursor('0 5 ', request), 'MC4w.0123456789abcdef']) {
      expectRefusal(() => decodeCursor(cursor, request), 'not_found', 'cursor');
    }
  });

  it('has the form that is described', () => {
    const position = fc.record({ depth: fc.nat(deepest), offset: fc.nat(999_999) });
    fc.assert(
      fc.property(position, (at) => {
        expect(encodeCursor(at, request)).toMatch(new RegExp(cursorPattern));
        expect(encodeCursor(at, request)).toMatch(new RegExp(startPattern));
      }),
    );
    const fits = (text: string) => new RegExp(startPattern).test(text);
    expect(['0', '0010', '9999', '10000', '010000'].filter(fits)).toHaveLength(5);
    expect(['', '10001', '99999', '-1', '1.5', 'abc'].filter(fits)).toEqual([]);
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

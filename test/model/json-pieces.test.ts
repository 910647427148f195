import { describe, expect, it } from 'vitest';
import { isSmall, jsonPieces } from '../../src/model/json.js';
import fc from '../support/properties.js';

const written = (value: unknown): string => [...jsonPieces(value)].join('');

describe('JSON in pieces', () => {
  it('is together what JSON.stringify writes', () => {
    const long = 'x"\n漢'.repeat(40_000);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        for (const each of [value, { long, value, absent: undefined }, [long, [value, { long }], undefined]]) {
          expect(written(each)).toBe(JSON.stringify(each));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('writes a large answer in many pieces, none of them much longer than its longest text', () => {
    const results = Array.from({ length: 30 }, (_, index) => ({ id: index, text: 'a'.repeat(50_000) }));
    const pieces = [...jsonPieces({ status: 'ok', results })];
    expect(pieces.length).toBeGreaterThan(30);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(110_000);
  });

  it('writes a small value in one piece', () => {
    expect([...jsonPieces({ status: 'ok', results: [] })]).toEqual(['{"status":"ok","results":[]}']);
    expect(isSmall({ text: 'a'.repeat(200_000) })).toBe(false);
    expect(isSmall(Array.from({ length: 100_000 }, () => 0))).toBe(false);
  });
});

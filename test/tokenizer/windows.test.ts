import { describe, expect, it } from 'vitest';
import { windowsOver } from '../../src/tokenizer/heuristic.js';
import fc from '../support/properties.js';

/** Parts of one token and one character each. */
function single(count: number) {
  const numbers = Array.from({ length: count }, (_, position) => position + 1);
  return { ends: numbers, tokens: numbers };
}

describe('windowsOver', () => {
  it('gives no window for no parts', () => {
    expect(windowsOver(single(0), { size: 3, overlap: 1 })).toEqual([]);
  });

  it('gives one window when everything fits', () => {
    expect(windowsOver(single(3), { size: 3, overlap: 2 })).toEqual([{ start: 0, end: 3 }]);
  });

  it('starts each window size minus overlap after the last and stops at the end', () => {
    expect(windowsOver(single(8), { size: 4, overlap: 1 })).toEqual([
      { start: 0, end: 4 },
      { start: 3, end: 7 },
      { start: 6, end: 8 },
    ]);
  });

  it('keeps the tokens of one character together and every window within the size', () => {
    const parts = { ends: [1, 3, 4, 5], tokens: [1, 4, 5, 6] };
    expect(windowsOver(parts, { size: 3, overlap: 0 })).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 3 },
      { start: 3, end: 5 },
    ]);
  });

  it('gives a character of more tokens than the size a window of its own', () => {
    const parts = { ends: [2, 4, 5], tokens: [3, 6, 7] };
    expect(windowsOver(parts, { size: 1, overlap: 0 })).toEqual([
      { start: 0, end: 2 },
      { start: 2, end: 4 },
      { start: 4, end: 5 },
    ]);
  });

  it.each([
    { size: 0, overlap: 0 },
    { size: 3, overlap: 3 },
    { size: 3, overlap: -1 },
    { size: 2.5, overlap: 0 },
    { size: Number.NaN, overlap: 0 },
  ])('refuses $size with overlap $overlap', (options) => {
    expect(() => windowsOver(single(5), options)).toThrow(RangeError);
  });

  it('covers every part without a gap and always moves on', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 60 });
    const options = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(8)).filter(([size, overlap]) => overlap < size);
    fc.assert(
      fc.property(sizes, options, (tokensOfPart, [size, overlap]) => {
        const tokens = tokensOfPart.map((_, part) =>
          tokensOfPart.slice(0, part + 1).reduce((sum, count) => sum + count, 0),
        );
        const ends = tokensOfPart.map((_, part) => part + 1);
        const windows = windowsOver({ ends, tokens }, { size, overlap });
        expect(windows[0]?.start ?? 0).toBe(0);
        expect(windows.at(-1)?.end ?? 0).toBe(ends.length);
        for (const [position, { start, end }] of windows.entries()) {
          const previous = windows[position - 1] ?? { start: -1, end: 0 };
          expect(start).toBeGreaterThan(previous.start);
          expect(start).toBeLessThanOrEqual(previous.end);
          expect(end).toBeGreaterThan(previous.end);
          const inWindow = (tokens[end - 1] ?? 0) - (tokens[start - 1] ?? 0);
          expect(inWindow <= size || end === start + 1).toBe(true);
        }
      }),
      { seed: 5 },
    );
  });
});

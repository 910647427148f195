import { describe, expect, it } from 'vitest';
import { createHeuristicTokenizer } from '../../src/tokenizer/heuristic.js';
import fc from '../support/properties.js';
import { anyText, describeTokenizer } from './tokenizer-properties.js';

const tokenizer = createHeuristicTokenizer();

describeTokenizer('the heuristic', async () => tokenizer);

describe('createHeuristicTokenizer', () => {
  it('has a name that says it is a heuristic', () => {
    expect(tokenizer.name).toBe('heuristic');
  });

  it.each([
    ['Hello, world! foo_bar 42', 9],
    ['one  two\n\nthree', 5],
    ['...', 3],
    ['naïve Straße', 3],
    ['東京へ行く', 1],
    ['😀😀', 2],
    [' ', 1],
    ['', 0],
  ])('counts %j as %d tokens', (text, count) => {
    expect(tokenizer.count(text)).toBe(count);
  });

  it('cuts windows at token ends', () => {
    const text = 'Hello, world! foo_bar 42';
    const windows = tokenizer.windows(text, { size: 4, overlap: 1 });
    expect(windows.map(({ start, end }) => text.slice(start, end))).toEqual([
      'Hello, world',
      'world! foo_bar',
      'foo_bar 42',
    ]);
  });

  it('keeps every window within the size and overlaps as asked', () => {
    const options = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(11)).filter(([size, overlap]) => overlap < size);
    fc.assert(
      fc.property(anyText, options, (text, [size, overlap]) => {
        const windows = tokenizer.windows(text, { size, overlap });
        for (const [position, { start, end }] of windows.entries()) {
          const isLast = position === windows.length - 1;
          const count = tokenizer.count(text.slice(start, end));
          expect(isLast ? count <= size : count === size).toBe(true);
          const next = windows[position + 1];
          if (next !== undefined) expect(tokenizer.count(text.slice(next.start, end))).toBe(overlap);
        }
      }),
      { seed: 6 },
    );
  });

  it.each(['a', '中', '!', ' ', '😀'])('takes millions of %j in a row', (unit) => {
    expect(tokenizer.windows(unit.repeat(3_000_000), { size: 10_000_000, overlap: 0 })).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import type { Tokenizer } from '../../src/tokenizer/contract.js';
import fc from '../support/properties.js';

/** Strings of every script, white space, half surrogate pairs and long runs. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        'Hello',
        ' world',
        "it's ",
        'foo_bar ',
        '中文字符',
        '👩‍👩‍👧',
        '🎉',
        'é',
        '\n\n',
        '   ',
        '<|endoftext|>',
        '\ud83d',
      ),
      fc
        .tuple(fc.constantFrom('a', '!', ' ', '中', '1', '😀'), fc.integer({ min: 1, max: 40 }))
        .map(([unit, count]) => unit.repeat(count)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

const windowOptions = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(11)).filter(([size, overlap]) => overlap < size);

/** What every tokenizer promises for any text. */
export function describeTokenizer(name: string, open: () => Promise<Tokenizer>): void {
  describe(`${name} as a tokenizer`, () => {
    it('counts nothing in an empty text and something in any other', async () => {
      const tokenizer = await open();
      expect(tokenizer.count('')).toBe(0);
      expect(tokenizer.windows('', { size: 5, overlap: 1 })).toEqual([]);
      fc.assert(
        fc.property(
          anyText.filter((text) => text !== ''),
          (text) => tokenizer.count(text) > 0,
        ),
        { seed: 1 },
      );
    });

    it('covers the whole text with windows that overlap and always move on', async () => {
      const tokenizer = await open();
      fc.assert(
        fc.property(anyText, windowOptions, (text, [size, overlap]) => {
          const windows = tokenizer.windows(text, { size, overlap });
          expect(windows[0]?.start ?? 0).toBe(0);
          expect(windows.at(-1)?.end ?? 0).toBe(text.length);
          for (const [position, { start, end }] of windows.slice(1).entries()) {
            const previous = windows[position] ?? { start: 0, end: 0 };
            expect(start).toBeGreaterThan(previous.start);
            expect(start).toBeLessThanOrEqual(previous.end);
            expect(end).toBeGreaterThan(previous.end);
          }
        }),
        { seed: 2 },
      );
    });

    it('gives the text back when windows without overlap are joined', async () => {
      const tokenizer = await open();
      fc.assert(
        fc.property(anyText, fc.integer({ min: 1, max: 12 }), (text, size) => {
          const windows = tokenizer.windows(text, { size, overlap: 0 });
          expect(windows.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        }),
        { seed: 3 },
      );
    });

    it('creates no half surrogate pair that was not in the text', async () => {
      const tokenizer = await open();
      const halves = (text: string) => text.match(/\p{Surrogate}/gu)?.length ?? 0;
      fc.assert(
        fc.property(anyText, fc.integer({ min: 1, max: 12 }), (text, size) => {
          const windows = tokenizer.windows(text, { size, overlap: 0 });
          const total = windows.reduce((sum, { start, end }) => sum + halves(text.slice(start, end)), 0);
          expect(total).toBe(halves(text));
        }),
        { seed: 4 },
      );
    });

    it('makes one window of a text that fits', async () => {
      const tokenizer = await open();
      fc.assert(
        fc.property(
          anyText.filter((text) => text !== ''),
          (text) => {
            const size = tokenizer.count(text);
            expect(tokenizer.windows(text, { size, overlap: 0 })).toEqual([{ start: 0, end: text.length }]);
          },
        ),
        { seed: 5 },
      );
    });
  });
}

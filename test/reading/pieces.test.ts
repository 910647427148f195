import { describe, expect, it } from 'vitest';
import { createSplitter } from '../../src/reading/read-windows.js';

const vocabulary = ['[UNK]', 'move', '##d', 'to', 'le', '##eds', ',', 'cafe', '東', '京', 'か', '##き'];
const split = createSplitter(vocabulary);
const wordsOf = (text: string): [string, string][] =>
  split(text).map(({ id, start, end }) => [vocabulary[id] ?? '', text.slice(start, end)]);

describe('splitting into pieces', () => {
  it('splits words into the longest pieces and knows their positions', () => {
    expect(wordsOf('Moved to Leeds,')).toEqual([
      ['move', 'Move'],
      ['##d', 'd'],
      ['to', 'to'],
      ['le', 'Le'],
      ['##eds', 'eds'],
      [',', ','],
    ]);
  });

  it('reads letters without their accents, and ideographs one by one', () => {
    expect(wordsOf('café 東京')).toEqual([
      ['cafe', 'café'],
      ['東', '東'],
      ['京', '京'],
    ]);
  });

  it('lets every piece of an unspaced script begin a word', () => {
    expect(split('かき').map(({ first }) => first)).toEqual([true, true]);
    expect(split('moved').map(({ first }) => first)).toEqual([true, false]);
  });

  it('treats words that it cannot split, and very long ones, as unknown', () => {
    expect(wordsOf('zzz')).toEqual([['[UNK]', 'zzz']]);
    expect(split('a'.repeat(5_000))).toHaveLength(1);
  });

  it('keeps every place inside the text, in order', () => {
    for (const text of ['ａｂｃ ΑΒΓ', 'e\u0301\u0301\u0301 x', '\u{1F600} ok', 'İstanbul ẞ', ' \n\t']) {
      let last = 0;
      for (const { start, end } of split(text)) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(start).toBeGreaterThanOrEqual(Math.min(last, start));
        last = end;
      }
    }
  });
});

import { createRequire } from 'node:module';
import { Tiktoken } from 'js-tiktoken/lite';
import { describe, expect, it } from 'vitest';
import { createExactTokenizer, encodings, loadVocabulary } from '../../src/tokenizer/exact.js';
import fc from '../support/properties.js';
import { anyText, describeTokenizer } from './tokenizer-properties.js';

const packages = createRequire(import.meta.url);
const tokenizer = createExactTokenizer('cl100k_base', await loadVocabulary('cl100k_base'));

describeTokenizer('cl100k_base', async () => tokenizer);

const sentence = 'The quick brown fox jumps over the lazy dog, and internationalisation happened. ';

describe.each(encodings)('the encoding %s', (encoding) => {
  it('counts what the package itself counts', async () => {
    const reference = new Tiktoken(packages(['js-tiktoken/ranks', encoding].join('/')));
    const own = createExactTokenizer(encoding, await loadVocabulary(encoding));
    expect(own.name).toBe(encoding);
    for (const text of [
      sentence,
      'aaaaaaaaaaaaaaaaaaaaa',
      '東京タワーに行きました',
      "don't DON'T 12345",
      '\r\n \t\n  x',
      'नमस्ते 👩‍👩‍👧',
    ]) {
      expect(own.count(text)).toBe(reference.encode(text, [], []).length);
    }
    fc.assert(
      fc.property(anyText, (text) => {
        expect(own.count(text)).toBe(reference.encode(text, [], []).length);
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});

describe('createExactTokenizer', () => {
  it('takes special tokens of the model as plain text', () => {
    expect(tokenizer.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('cuts windows at token ends', () => {
    const text = 'Hello, world! foo_bar 42';
    const windows = tokenizer.windows(text, { size: 4, overlap: 1 });
    expect(windows.map(({ start, end }) => text.slice(start, end))).toEqual(['Hello, world!', '! foo_bar ', ' 42']);
  });

  it('moves a cut inside a character to its end', () => {
    // Three tokens make this one character.
    const text = 'ok 🎉 ok';
    const windows = tokenizer.windows(text, { size: 2, overlap: 0 });
    expect(windows.map(({ start, end }) => text.slice(start, end))).toEqual(['ok', ' 🎉', ' ok']);
  });

  it('keeps every window within the size in tokens of the text', () => {
    const text = sentence.repeat(40);
    const windows = tokenizer.windows(text, { size: 50, overlap: 10 });
    const total = tokenizer.count(text);
    expect(windows).toHaveLength(Math.ceil((total - 10) / 40));
    for (const { start, end } of windows) expect(tokenizer.count(text.slice(start, end))).toBeLessThanOrEqual(50);
  });

  it.each([
    ['a', 125_000],
    [' ', 7_813],
    ['!', 125_000],
  ])('counts a million times %j without the time of the package', (unit, count) => {
    expect(tokenizer.count(unit.repeat(1_000_000))).toBe(count);
  });

  it('counts a long text as the sum of its sentences', () => {
    const text = ` ${sentence.trim()}`;
    expect(tokenizer.count(text.repeat(5_000))).toBe(5_000 * tokenizer.count(text));
  });
});

import { describe, expect, test } from 'vitest';
import { nonsenseIn } from '../../eval/nonsense.mjs';

describe('nonsense queries', () => {
  test('are the same in every run, of one to four words', () => {
    const { invented, unrelated } = nonsenseIn('de', 40);
    expect(nonsenseIn('de', 40)).toEqual({ invented, unrelated });
    for (const queries of [invented, unrelated]) {
      expect(new Set(queries.map((query) => query.split(' ').length))).toEqual(new Set([1, 2, 3, 4]));
    }
  });

  test('never repeat a word: it would be related to itself', () => {
    for (const query of nonsenseIn('en', 200).unrelated) {
      const words = query.split(' ');
      expect(new Set(words).size).toBe(words.length);
    }
  });

  test('are written in the script of their language, or in English', () => {
    expect(nonsenseIn('uk', 8).invented.join('')).toMatch(/^[\p{Script=Cyrillic} ]+$/u);
    expect(nonsenseIn('zh', 8).unrelated.join('')).toMatch(/^[\p{Script=Han} ]+$/u);
    expect(nonsenseIn('single-hop', 8).unrelated).toEqual(nonsenseIn('single-hop', 8).unrelated);
    expect(nonsenseIn('single-hop', 8).unrelated.join('')).toMatch(/^[a-z ]+$/);
  });
});

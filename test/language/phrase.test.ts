import { describe, expect, it } from 'vitest';
import { findingText, findingWords, foldedWords, singleBlanks } from '../../src/language/phrase.js';
import { finished } from '../../src/model/steps.js';
import fc from '../support/properties.js';

const contains = (text: string, words: string): boolean => finished(findingWords(text, words));

describe('words in a text', () => {
  it.each([
    ['the cat sat', 'cat', true],
    ['concatenate', 'cat', false],
    ['concatenate cat', 'cat', true],
    ['c++ and c', 'c', true],
    ['我住在北京', '北京', true],
    ['aaaa', 'aa', false],
    [`${'aab '.repeat(40)}aa`, 'aa', true],
    ['aab '.repeat(40).trim(), 'aa', false],
    [`${'aab '.repeat(40)}xaa`, 'aa', false],
  ])('%s has %s: %s', (text, words, expected) => {
    expect(contains(text, words)).toBe(expected);
  });

  it('are found even if they often occur inside other words', () => {
    const word = fc.stringMatching(/^[ab漢]{1,3}$/);
    const list = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((each) => each.join(' '));
    fc.assert(
      fc.property(list(120), list(3), (text, words) => {
        const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(words, at));
        const isApart = (at: number): boolean => {
          const beside = text.slice(Math.max(0, at - 1), at + 1);
          return at <= 0 || at >= text.length || /[ 漢]/.test(beside);
        };
        const expected = places.some((at) => isApart(at) && isApart(at + words.length));
        expect(contains(text, words)).toBe(expected);
      }),
    );
  });

  it('and parts of a text of any length are found', () => {
    const letters = (most: number) => fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: most });
    fc.assert(
      fc.property(letters(400), letters(90), fc.nat(300), (text, part, at) => {
        for (const each of [part, text.slice(at, at + 100)]) {
          expect(finished(findingText(text, each))).toBe(text.includes(each));
          const isHeld = ` ${text} `.includes(` ${each} `);
          if (each !== '' && each.trim() === each) expect(contains(text, each)).toBe(isHeld);
        }
      }),
    );
  });

  it('are searched in steps, even if long and repetitive', () => {
    const text = 'ab'.repeat(100_000);
    expect([...findingWords(text, text.slice(0, 1_000))].length).toBeGreaterThan(20);
    expect([...findingText(text, `${text.slice(0, 1_000)}c`)].length).toBeGreaterThan(20);
  });

  it('are the same when a text is longer than a portion', () => {
    const text = 'The Crème brûlée, (of course) – twice. '.repeat(2_000);
    expect(foldedWords(text)).toBe('the creme brulee of course twice '.repeat(2_000).trim());
    expect(foldedWords('x'.repeat(100_000))).toBe('x'.repeat(100_000));
  });
});

describe('blanks', () => {
  it('are collapsed to one between words, across portions too', () => {
    for (const run of [' ', '  ', ' \n\t ', '\u3000', ' '.repeat(20_000)]) {
      const text = `${run}lorem${run}ipsum,${run}`.repeat(4_000).slice(0, 300_000);
      expect(singleBlanks(text)).toBe(text.replace(/\s+/g, ' ').trim());
    }
  });
});

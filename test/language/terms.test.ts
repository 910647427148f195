import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, indexTerms, queryTerms } from '../../src/language/terms.js';

describe('indexTerms', () => {
  it.each([
    ['Hello, World!', ['hello', 'world']],
    ['The B-52 flew', ['the', 'b-52', 'b', '52', 'flew']],
    ['call foo_bar now', ['call', 'foo_bar', 'foo', 'bar', 'now']],
    ['write to user@host', ['writ', 'to', 'user@host', 'user', 'host']],
    ['in C++ and C#', ['in', 'c++', 'c', 'and', 'c#', 'c']],
    ["don't stop", ["don't", 'don', 'stop']],
    ['', []],
    ['?! … —', []],
  ])('cuts %j into %j', (text, terms) => {
    expect(indexTerms(text)).toEqual(terms);
  });

  it('keeps Vue.js whole beside its parts', () => {
    expect(indexTerms('Vue.js')).toEqual(['vue.js', 'vue', 'js']);
  });

  it('cuts scripts without blanks into characters and pairs', () => {
    expect(indexTerms('東京都')).toEqual(['東', '京', '都', '東京', '京都']);
  });

  it('keeps a very long word by its head', () => {
    expect(indexTerms('a1'.repeat(100)).map((term) => term.length)).toEqual([80]);
  });
});

describe('queryTerms', () => {
  it('asks for pairs of characters rather than for each alone', () => {
    expect(queryTerms('東京都')).toEqual(['東京', '京都']);
    expect(queryTerms('茶')).toEqual(['茶']);
  });

  it('names each term once', () => {
    expect(queryTerms('cat cats CAT')).toEqual(['cat']);
  });

  const word = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom('B-52', 'foo_bar', '東京', 'привет', 'café', 'naïve', 'node.js', 'Ωmega', 'हिन्दी', 'ไทย'),
  );

  it('finds every text by itself: each query term is a term of the index', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const text = words.join(' ');
        const indexed = new Set(indexTerms(text));
        expect(queryTerms(text).filter((term) => !indexed.has(term))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('makes terms that hold no blank, so that a store can split at blanks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(indexTerms(text).filter((term) => term === '' || /\s/.test(term))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('fold', () => {
  it.each([
    ['CAFÉ', 'cafe'],
    ['Ångström', 'angstrom'],
    ['ΩΜΈΓΑ', 'ωμεγα'],
    ['Привет', 'привет'],
    ['ﬁle', 'file'],
    ['Ｆｕｌｌ', 'full'],
  ])('folds %s to %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('keeps letters of their own: й is not и', () => {
    expect(fold('йод')).toBe('йод');
    expect(fold('йод'.normalize('NFD'))).toBe('йод');
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 300 },
    );
  });
});

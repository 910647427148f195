import { describe, expect, it } from 'vitest';
import { indexTerms, queryTerms, termCounter } from '../../src/language/terms.js';
import fc from '../support/properties.js';

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

  it('makes terms without blanks, so that a store can split at blanks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(indexTerms(text).filter((term) => term === '' || /\s/.test(term))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the folding of words', () => {
  it.each([
    ['CAFÉ', 'cafe'],
    ['Ångström', 'angstrom'],
    ['ΩΜΈΓΑ', 'ωμεγα'],
    ['Привет', 'привет'],
    ['ﬁle', 'file'],
    ['Ｆｕｌｌ', 'full'],
    ['سَلام', 'سلام'],
    ['йод', 'йод'.normalize('NFD')],
    ['l’été', "l'ete"],
  ])('lets %s and %s meet', (one, other) => {
    expect(indexTerms(one)).toEqual(indexTerms(other));
  });

  it('keeps letters of their own apart: й is not и', () => {
    expect(indexTerms('йод')).not.toEqual(indexTerms('иод'));
  });
});

describe('other languages', () => {
  it.each([
    ['Arabic, with article and possession', 'تذكرة', 'والتذكرة'],
    ['Ukrainian, by case', 'бібліотека', 'у бібліотеку'],
    ['Japanese, a single character as a word', '猫はどこ', '猫がいます'],
    [
      'German, a compound by its head',
      'Wo ist der Kellerschlüssel?',
      'Den Keller und die Kellertür habe ich abgeschlossen.',
    ],
  ])('find each other in %s', (_, query, text) => {
    const wanted = new Set(queryTerms(query));
    expect(indexTerms(text).some((term) => wanted.has(term))).toBe(true);
  });

  it('leave English as it is', () => {
    expect(indexTerms('the university')).toEqual(['the', 'universiti']);
  });
});

describe('termCounter', () => {
  it('counts each wanted term once', () => {
    const count = termCounter(['cat', 'b-52', 'москв']);
    expect(count('Cats and a cat')).toBe(1);
    expect(count('The B-52 and the cat')).toBe(2);
    expect(count('Москва, cats, B-52')).toBe(3);
    expect(count('')).toBe(0);
    expect(termCounter([])('anything')).toBe(0);
  });

  it.each([
    ['fly', 'It flies'],
    ['try', 'I tried'],
    ['C++', 'c++ code'],
    ["don't", 'I DON’T'],
  ])('finds %j in %j', (query, text) => {
    expect(termCounter(queryTerms(query))(text)).toBe(queryTerms(query).length);
  });

  const word = fc.oneof(
    fc.constantFrom(
      'flies',
      'fly',
      'tried',
      'dries',
      'cities',
      'B-52',
      'foo_bar',
      'x',
      'C#',
      'café',
      '東京都',
      "we'll",
      '🚀',
      'a.b',
      '[',
      '*',
    ),
    fc.string({ maxLength: 6 }),
  );
  const words = fc.array(word, { maxLength: 8 });

  it('finds every wanted term that the index holds', () => {
    fc.assert(
      fc.property(words, words, (query, text) => {
        const wanted = queryTerms(query.join(' '));
        const indexed = new Set(indexTerms(text.join(' ')));
        const found = termCounter(wanted)(text.join(' '));
        expect(found).toBeGreaterThanOrEqual(wanted.filter((term) => indexed.has(term)).length);
        expect(found).toBeLessThanOrEqual(wanted.length);
      }),
      { numRuns: 1_000 },
    );
  });
});

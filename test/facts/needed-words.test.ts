import { describe, expect, it } from 'vitest';
import { neededIn } from '../../src/facts/rules.js';

describe('the words that a pattern needs', () => {
  const cases: [source: string, needed: string[][]][] = [
    ['^(?:i|we)\\s+(?:now\\s+)?(?:plan|intend)\\s+to', [['plan', 'intend'], ['to']]],
    // Any text may match an alternative without words.
    ['^(?:plan|\\p{L}+)\\s+ahead', [['ahead']]],
    ['(?:really\\s+)*(?:quit(?:ted)?|left)', [['left', 'quit']]],
    // An optional letter is no part of its word; a repeated one ends it.
    ['flats?\\s+colou?r\\s+so+n', [['flat'], ['colo'], ['so']]],
    ['x{0,3}one{2}two', [['one'], ['two']]],
    // What must not follow is not needed, and what must precede is.
    ['live(?!\\s+here)(?<=never live)', [['never live'], ['live']]],
    // A longer word contains the shorter one.
    ['(?:anymore|any|many)', [['any']]],
    ['my\\.name [abc]ble [\\])]x', [['my.name '], ['ble ']]],
    ['(?<object>.+) is mine', [[' is mine']]],
    ['我(?:住在|是)', [['住在', '是'], ['我']]],
    ['.+\\d{4}\\u{1f600}\\x41', []],
  ];

  it.each(cases)('of %s', (source, needed) => {
    const sorted = (lists: string[][]) => lists.map((words) => words.toSorted()).sort();
    expect(sorted(neededIn(source))).toEqual(sorted(needed));
  });

  it('occur in every text that the pattern matches', () => {
    const texts = [
      'we now intend to go',
      'i plan to',
      'quitted',
      'really really left',
      'flats color soon',
      'onetwo',
      'any',
    ];
    for (const [source] of cases) {
      for (const text of texts) {
        if (!new RegExp(source, 'u').test(text)) continue;
        expect(neededIn(source).every((words) => words.some((word) => text.includes(word)))).toBe(true);
      }
    }
  });
});

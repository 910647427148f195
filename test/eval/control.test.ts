import { describe, expect, test } from 'vitest';
import { bm25Control, wordsOf } from '../../eval/control.mjs';
import { parseSuite } from '../../eval/suite.mjs';

const conversation = (key: string, source: string, ...texts: string[]) => ({
  key,
  conversation: { source, messages: texts.map((text) => ({ role: 'user', text })) },
});

describe('wordsOf', () => {
  test('cuts at everything that is no letter, digit or mark and folds case only', () => {
    expect(wordsOf("Zoë's 2 Œufs, ПЛИТКА!")).toEqual(['zoë', 's', '2', 'œufs', 'плитка']);
  });
});

describe('bm25Control', () => {
  test('prefers the message with the rarer word', () => {
    const search = bm25Control([conversation('a', 'x', 'the red boat', 'the red car', 'the red house')]);
    expect(search({ text: 'red car' }, 10)).toEqual([
      ['a', 1],
      ['a', 0],
      ['a', 2],
    ]);
  });

  test('prefers the shorter of two messages with the same word', () => {
    const search = bm25Control([conversation('a', 'x', 'a boat with very many other words', 'a boat')]);
    expect(search({ text: 'boat' }, 10)).toEqual([
      ['a', 1],
      ['a', 0],
    ]);
  });

  // Three words against five at k1 1.2 and b .75, mean length 4: one hit in the short message weighs
  // 2.2 / (1 + 1.2 × (.25 + .75 × 3/4)) = 1.114, two in the long one 4.4 / (2 + 1.2 × (.25 + .75 × 5/4)) = 1.284.
  test('lets a second occurrence outweigh the length it takes', () => {
    const search = bm25Control([conversation('a', 'x', 'boat by day', 'boat and boat by night')]);
    expect(search({ text: 'boat' }, 1)).toEqual([['a', 1]]);
  });

  test('does not stem, and returns nothing for words that occur nowhere', () => {
    const search = bm25Control([conversation('a', 'x', 'two boats')]);
    expect(search({ text: 'boat' }, 10)).toEqual([]);
  });

  test('searches only what passes the filter of the question', () => {
    const search = bm25Control([conversation('a', 'x', 'boat'), conversation('b', 'y', 'boat')]);
    expect(search({ text: 'boat', filter: { source: 'y' } }, 10)).toEqual([['b', 0]]);
  });
});

describe('parseSuite', () => {
  const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  const head = { suite: 'mine', license: 'CC0-1.0', about: 'a test' };
  const question = { id: 'q', kind: 'fact', text: '?', answer: '', filter: {}, evidence: [['a', 0]], keys: ['a'] };

  test('reads the head, the conversations and the questions', () => {
    const suite = parseSuite(lines(head, conversation('a', 'x', 'boat'), { question }));
    expect([suite.name, suite.conversations.length, suite.questions]).toEqual(['mine', 1, [question]]);
  });

  test('refuses evidence that is not there', () => {
    const wrong = { ...question, evidence: [['a', 1]] };
    expect(() => parseSuite(lines(head, conversation('a', 'x', 'boat'), { question: wrong }))).toThrow(
      'mine: q names unknown evidence',
    );
  });

  test('refuses a key that is used twice', () => {
    const twice = [conversation('a', 'x', 'boat'), conversation('a', 'x', 'car')];
    expect(() => parseSuite(lines(head, ...twice))).toThrow('used twice');
  });
});

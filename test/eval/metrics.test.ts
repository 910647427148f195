import { describe, expect, test } from 'vitest';
import { percentile, scoreAnswer, summarise } from '../../eval/metrics.mjs';
import type { Place } from '../../eval/suite.mjs';

/** One hit per place: the usual case, where no two conversations are the same. */
const hitsOf = (...places: Place[]) => places.map((place) => [place]);
const filler = (count: number): Place[] => Array.from({ length: count }, (_, index) => ['other', index]);

describe('scoreAnswer', () => {
  test('counts evidence in the first five and the first ten', () => {
    const question = { kind: 'fact', evidence: [['a', 0] as Place, ['b', 3] as Place], keys: ['a', 'b'] };
    const hits = hitsOf(['a', 1], ['a', 0], ...filler(4), ['b', 3]);
    expect(scoreAnswer(question, hits)).toEqual({
      kind: 'fact',
      labelled: true,
      rank: 2,
      mrr: 0.5,
      'any@5': 1,
      'recall@5': 0.5,
      'all@5': 0,
      'any@10': 1,
      'recall@10': 1,
      'all@10': 1,
      'session any@5': 1,
      'session all@5': 1,
      'session any@10': 1,
      'session all@10': 1,
    });
  });

  test('gives nothing to an answer without the evidence', () => {
    const row = scoreAnswer({ kind: 'fact', evidence: [['a', 0]], keys: ['a'] }, hitsOf(...filler(10)));
    expect(row.rank).toBeUndefined();
    expect([row.mrr, row['any@10'], row['session any@10']]).toEqual([0, 0, 0]);
  });

  test('ranks conversations by their first message, so repeats of one do not push others down', () => {
    const question = { kind: 'fact', evidence: [['b', 0] as Place], keys: ['b'] };
    const row = scoreAnswer(question, hitsOf(...filler(9), ['b', 4]));
    expect([row['any@10'], row['session any@5']]).toEqual([0, 1]);
  });

  test('takes a hit on a conversation stored once for several as a hit on each', () => {
    const row = scoreAnswer({ kind: 'fact', evidence: [['copy', 2]], keys: ['copy'] }, [
      [
        ['first', 2],
        ['copy', 2],
      ],
    ]);
    expect([row.rank, row['session all@5']]).toEqual([1, 1]);
  });
});

describe('summarise', () => {
  test('averages over all rows and over each kind', () => {
    const found = scoreAnswer({ kind: 'one', evidence: [['a', 0]], keys: ['a'] }, hitsOf(['a', 0]));
    const second = scoreAnswer({ kind: 'two', evidence: [['a', 0]], keys: ['a'] }, hitsOf(['b', 0], ['a', 0]));
    const lost = scoreAnswer({ kind: 'two', evidence: [['a', 0]], keys: ['a'] }, []);
    const { all, one, two } = summarise([found, second, lost]);
    expect([all.n, all.mrr, all['any@5']]).toEqual([3, 0.5, 0.6667]);
    expect([one?.n, one?.mrr]).toEqual([1, 1]);
    expect([two?.n, two?.mrr, two?.['session all@5']]).toEqual([2, 0.25, 0.5]);
  });

  test('leaves questions without labelled turns out of the turn metrics', () => {
    const labelled = scoreAnswer({ kind: 'fact', evidence: [['a', 0]], keys: ['a'] }, hitsOf(['a', 0]));
    const unlabelled = scoreAnswer({ kind: 'fact', evidence: [], keys: ['b'] }, hitsOf(['a', 0]));
    const { all } = summarise([labelled, unlabelled]);
    expect([all['recall@5'], all['session any@5']]).toEqual([1, 0.5]);
  });
});

test('percentile takes the value at the share of the sorted list', () => {
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(3);
  expect(percentile([4, 1, 3, 2], 0.95)).toBe(4);
  expect(percentile([], 0.5)).toBe(0);
});

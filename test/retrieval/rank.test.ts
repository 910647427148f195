import { describe, expect, it } from 'vitest';
import { finished } from '../../src/model/steps.js';
import type { Candidate } from '../../src/retrieval/candidate.js';
import { similarityOf } from '../../src/retrieval/candidate.js';
import { features, type Weights } from '../../src/retrieval/features.js';
import { bestDistance, groupBy } from '../../src/retrieval/group.js';
import { type RankSettings, ranking } from '../../src/retrieval/rank.js';
import { keywordScore } from '../../src/retrieval/surroundings.js';
import { aCandidate, aQuery } from '../support/candidate.js';

const noWeights = Object.fromEntries(Object.keys(features).map((name) => [name, 0])) as Weights;
const settings: RankSettings = {
  trust: 1,
  keywordWeight: 0.25,
  metadataWeight: 0.15,
  weights: noWeights,
  deepWeight: 0.6,
  similarity: similarityOf.cosine,
};

function orderOf(candidates: Candidate[], changes: Partial<RankSettings> = {}): string[] {
  return finished(ranking(candidates, aQuery(), { ...settings, ...changes })).map(({ chunkId }) => chunkId);
}

describe('rank', () => {
  // Reference bug 1: similarity stores were ranked worst first.
  it('puts the smaller distance first', () => {
    const candidates = [aCandidate('far', { distance: 0.9 }), aCandidate('near', { distance: 0.1 })];
    expect(orderOf(candidates)).toEqual(['near', 'far']);
  });

  // Reference bug 2: exact keyword matches came below random neighbours.
  it('puts an exact match above a near neighbour whose distance means little', () => {
    const candidates = [aCandidate('neighbour', { distance: 0.05 }), aCandidate('exact', { distance: 1, bm25: 9 })];
    expect(orderOf(candidates, { trust: 0.1 })).toEqual(['exact', 'neighbour']);
  });

  it('counts a match in the metadata by its weight', () => {
    const candidates = [aCandidate('plain'), aCandidate('titled', { metadataMatch: 1 })];
    expect(orderOf(candidates)).toEqual(['titled', 'plain']);
    expect(orderOf(candidates, { metadataWeight: 0 })).toEqual(['plain', 'titled']);
  });

  it('sums its three parts', () => {
    const [only] = finished(
      ranking([aCandidate('a', { distance: 0.2, bm25: 8, metadataMatch: 1 })], aQuery(), settings),
    );
    // 0.25 · 0.8 + 0.25 · (½ + 1) / 2 + 0.15 · 1
    expect(only?.relevance).toBeCloseTo(0.2 + 0.1875 + 0.15, 10);
  });

  it('adds likeness by its weight, and the usual one to a candidate without', () => {
    const candidates = [aCandidate('like', { deep: 0.5 }), aCandidate('unlike', { deep: -0.1 }), aCandidate('new')];
    expect(
      finished(ranking(candidates, aQuery(), settings)).map(({ chunkId, shares }) => [chunkId, shares.deep]),
    ).toEqual([
      ['like', 0.3],
      ['new', 0.12],
      ['unlike', -0.06],
    ]);
    const quoted = aCandidate('quoted', { deep: 0.5, exactness: 2 });
    expect(finished(ranking([quoted], aQuery({ isQuotation: true }), settings))[0]?.relevance).toBe(20);
  });

  // Issue 20: the reply that repeats a name came before the message that it replies to.
  it('puts the first of one conversation to hold a short query before those who repeat it', () => {
    const place = { conversationId: 'talk', exactness: 1 } as const;
    const candidates = [
      aCandidate('other', { exactness: 1, distance: 0.2 }),
      aCandidate('said', { ...place, chunkIndex: 0, distance: 0.5 }),
      aCandidate('repeated', { ...place, chunkIndex: 1, distance: 0.1 }),
    ];
    expect(orderOf(candidates)).toEqual(['said', 'other', 'repeated']);
    const sums = finished(ranking(candidates, aQuery(), settings)).map(({ relevance, shares }) => [
      relevance,
      Object.values(shares).reduce((sum, share) => sum + share, 0),
    ]);
    for (const [relevance, sum] of sums) expect(sum).toBeCloseTo(relevance ?? 0, 5);
  });

  it('orders equal candidates by conversation and chunk, so that pages are stable', () => {
    const candidates = [
      aCandidate('b0', { conversationId: 'b', chunkIndex: 0 }),
      aCandidate('a1', { conversationId: 'a', chunkIndex: 1 }),
      aCandidate('a0', { conversationId: 'a', chunkIndex: 0 }),
    ];
    expect(orderOf(candidates)).toEqual(['a0', 'a1', 'b0']);
    expect(orderOf(candidates.toReversed())).toEqual(['a0', 'a1', 'b0']);
  });
});

describe('rank with weights', () => {
  it('adds each feature by its weight and reports its share', () => {
    const query = aQuery({ role: 'assistant' });
    const weights = { ...noWeights, role: 0.4 };
    const ranked = finished(
      ranking(
        [aCandidate('user', { distance: 0.5 }), aCandidate('assistant', { distance: 0.5, role: 'assistant' })],
        query,
        { ...settings, weights },
      ),
    );
    expect(ranked.map(({ chunkId, shares }) => [chunkId, shares])).toEqual([
      ['assistant', { semantic: 0.125, role: 0.1 }],
      ['user', { semantic: 0.125, role: -0.1 }],
    ]);
  });
});

describe('keywordScore', () => {
  it('stays between 0 and 1, grows with BM25 and is at least a half for the best', () => {
    expect(keywordScore(0, 0)).toBe(0);
    expect(keywordScore(8, 16)).toBeCloseTo(0.5, 10);
    expect(keywordScore(0.001, 0.001)).toBeGreaterThan(0.5);
    expect(keywordScore(1e9, 1e9)).toBeLessThanOrEqual(1);
  });
});

describe('similarityOf', () => {
  it.each([
    ['cosine', 0, 1],
    ['cosine', 1, 0],
    ['cosine', 2, 0],
    ['inner_product', -3, 1],
    ['inner_product', 0.25, 0.75],
    ['l2', 0, 1],
    ['l2', Math.SQRT2, 0],
    ['l2', 5, 0],
  ] as const)('turns a %s distance of %d into %d', (distance, value, similarity) => {
    expect(similarityOf[distance](value)).toBeCloseTo(similarity, 10);
  });
});

describe('groupBy', () => {
  it('keeps the order of the best chunk of each group', () => {
    const ranked = finished(
      ranking(
        [
          aCandidate('x1', { conversationId: 'x', distance: 0.5 }),
          aCandidate('y1', { conversationId: 'y', distance: 0.1 }),
          aCandidate('x2', { conversationId: 'x', distance: 0.2 }),
        ],
        aQuery(),
        settings,
      ),
    );
    const groups = groupBy(ranked, ({ conversationId }) => conversationId);
    expect(groups.map(({ key, chunks }) => [key, ...chunks.map(({ chunkId }) => chunkId)])).toEqual([
      ['y', 'y1'],
      ['x', 'x2', 'x1'],
    ]);
  });
});

describe('bestDistance', () => {
  it('is the lowest distance, or the given one where there is none', () => {
    const [near, far, none] = finished(
      ranking(
        [aCandidate('n', { distance: 0.1 }), aCandidate('f', { distance: 0.7 }), aCandidate('o')],
        aQuery(),
        settings,
      ),
    );
    expect(
      bestDistance(
        [far, near, none].flatMap((each) => each ?? []),
        1,
      ),
    ).toBe(0.1);
    expect(
      bestDistance(
        [none].flatMap((each) => each ?? []),
        1,
      ),
    ).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import { exactStep } from '../../src/retrieval/candidate.js';
import { type RankedHit, reranked } from '../../src/retrieval/rank.js';
import { aCandidate } from '../support/candidate.js';

const aHit = (chunkId: string, relevance: number, parts: Partial<RankedHit> = {}): RankedHit => ({
  ...aCandidate(chunkId),
  relevance,
  shares: { keyword: relevance },
  ...parts,
});
const idsOf = (hits: readonly RankedHit[]): string[] => hits.map(({ chunkId }) => chunkId);

describe('reranked', () => {
  it('puts a hit that answers before a slightly better one that does not', () => {
    const hits = [aHit('words', 0.4), aHit('answer', 0.3)];
    const [first, second] = reranked(
      hits,
      new Map([
        ['words', -4],
        ['answer', 4],
      ]),
    );
    expect(first).toMatchObject({ chunkId: 'answer', relevance: 0.594604, shares: { keyword: 0.3, rerank: 0.294604 } });
    expect(second).toMatchObject({ chunkId: 'words', relevance: 0.405396, shares: { keyword: 0.4, rerank: 0.005396 } });
  });

  it('does not move a hit that answers past a far better one', () => {
    const hits = [aHit('words', 0.8), aHit('answer', 0.3)];
    expect(
      idsOf(
        reranked(
          hits,
          new Map([
            ['words', -9],
            ['answer', 9],
          ]),
        ),
      ),
    ).toEqual(['words', 'answer']);
  });

  it('keeps every scored hit before those that come later and were not scored', () => {
    const hits = [aHit('scored', 0.4), aHit('unscored', 0.4 - 1e-6)];
    expect(reranked(hits, new Map([['scored', -20]]))).toMatchObject([{ chunkId: 'scored' }, hits[1]]);
  });

  it('leaves what holds the whole query first', () => {
    const exact = aHit('exact', exactStep, { exactness: 1 });
    expect(reranked([exact, aHit('answer', 0.9)], new Map([['answer', 20]]))[0]).toEqual(exact);
  });

  it('changes nothing without scores', () => {
    const hits = [aHit('one', 0.4), aHit('other', 0.3)];
    expect(reranked(hits, new Map())).toEqual(hits);
  });
});

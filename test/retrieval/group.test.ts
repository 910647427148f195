import { describe, expect, it } from 'vitest';
import { bestDistance, groupBy, rankedAlone, rankGroups } from '../../src/retrieval/group.js';
import type { RankedHit } from '../../src/retrieval/rank.js';
import { aCandidate } from '../support/candidate.js';
import fc from '../support/properties.js';

/** Chunks of conversations named by letters, as `rank` gives them: the most relevant first. */
function found(...chunks: [conversation: string, relevance: number][]): RankedHit[] {
  return chunks
    .map(([conversationId, relevance], chunkIndex) => ({
      ...aCandidate(`${conversationId} ${chunkIndex}`, { conversationId, chunkIndex }),
      relevance,
      shares: { keyword: relevance },
    }))
    .sort((one, other) => other.relevance - one.relevance);
}

function order(...chunks: [conversation: string, relevance: number][]): string[] {
  return rankGroups(groupBy(found(...chunks), ({ conversationId }) => conversationId)).map(({ key }) => key);
}

describe('conversations', () => {
  it('come in the order of their best chunk when each has one', () => {
    expect(order(['a', 0.3], ['b', 0.5], ['c', 0.4])).toEqual(['b', 'c', 'a']);
  });

  it('with two good matches come before those with one that is a little better', () => {
    expect(order(['one', 0.41], ['two', 0.4], ['two', 0.4])).toEqual(['two', 'one']);
  });

  it('do not win by many weak matches', () => {
    const crowd = Array.from({ length: 50 }, (): [string, number] => ['crowd', 0.1]);
    expect(order(['good', 0.4], ['crowd', 0.3], ...crowd)).toEqual(['good', 'crowd']);
  });

  it('keep the order of their best chunk when they are equal', () => {
    expect(order(['a', 0.4], ['b', 0.4])).toEqual(['a', 'b']);
  });

  it('have a relevance that is the sum of its shares and never grows along the answer', () => {
    const chunks = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.double({ min: -0.2, max: 1, noNaN: true })),
    );
    fc.assert(
      fc.property(chunks, (some) => {
        const groups = rankGroups(groupBy(found(...some), ({ conversationId }) => conversationId));
        const relevances = groups.map(({ relevance }) => relevance);
        expect(relevances).toEqual(relevances.toSorted((one, other) => other - one));
        for (const { relevance, shares } of groups) {
          expect(Object.values(shares).reduce((sum, share) => sum + share)).toBeCloseTo(relevance, 4);
        }
      }),
    );
  });
});

describe('a chunk by itself', () => {
  it('keeps its own relevance', () => {
    const [group] = groupBy(found(['a', 0.4]), ({ conversationId }) => conversationId).map(rankedAlone);
    expect(group).toMatchObject({ relevance: 0.4, shares: { keyword: 0.4 } });
  });
});

describe('the best distance', () => {
  it('is the lowest that is known', () => {
    const [one] = found(['a', 0.4]);
    const chunks = one === undefined ? [] : [{ ...one, distance: 0.7 }, one, { ...one, distance: 0.2 }];
    expect([bestDistance(chunks, 1), bestDistance([], 1)]).toEqual([0.2, 1]);
  });
});

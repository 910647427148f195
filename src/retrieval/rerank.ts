import { byRelevance, type RankedHit, rounded } from './rank.js';

/** What a message that surely answers adds to its relevance; `docs/search.md` has what other weights are worth. */
const rerankWeight = 0.3;

/** What the logit that a message answers adds to its relevance. */
export function answering(logit: number): number {
  return rounded(rerankWeight / (1 + Math.exp(-logit)));
}

/**
 * The hits in a new order, by what the reading model says of some of them: the logit that the message answers, by the id
 * of the chunk. A score only ever adds, so that no hit falls behind one that was not scored.
 */
export function reranked(ranked: readonly RankedHit[], logits: ReadonlyMap<string, number>): RankedHit[] {
  return ranked
    .map((hit) => {
      const logit = logits.get(hit.chunkId);
      if (logit === undefined) return hit;
      const share = answering(logit);
      return { ...hit, relevance: rounded(hit.relevance + share), shares: { ...hit.shares, rerank: share } };
    })
    .sort(byRelevance);
}

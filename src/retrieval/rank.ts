import type { Role } from '../model/conversation.js';

/** A chunk that may answer the query, with what the stores said about it. */
export interface Candidate {
  chunkId: string;
  conversationId: string;
  chunkIndex: number;
  role: Role;
  text: string;
  /** Vector distance, lower is better; absent when the chunk is not in the vector index or no vector could be had. */
  distance?: number;
  /** BM25 of the full-text index, higher is better; absent when it was not among the keyword hits. */
  bm25?: number;
  /** The share of the query's terms found in its conversation's title, manual tags and summary. */
  metadataMatch: number;
}

export interface RankSettings {
  /** 0 to 1: how far a small distance means a related text. */
  trust: number;
  keywordWeight: number;
  metadataWeight: number;
  similarity: (distance: number) => number;
}

export interface Ranked extends Candidate {
  /** The fused score that orders the results, higher is better. */
  relevance: number;
}

/**
 * One sum of three parts, each from 0 to 1 before its weight. Saturating scores instead of ranks: a rank calls the best
 * of five bad neighbours as good as an exact hit. A trained model's distance weighs as much as the default keyword
 * weight; a hash's distance counts for less, so that an exact match is never buried under a random neighbour.
 */
export function rank(candidates: readonly Candidate[], settings: RankSettings): Ranked[] {
  const semanticWeight = 0.25 * settings.trust;
  const best = Math.max(0, ...candidates.map(({ bm25 = 0 }) => bm25));
  return candidates
    .map((candidate) => {
      const semantic = candidate.distance === undefined ? 0 : settings.similarity(candidate.distance);
      const relevance =
        semanticWeight * semantic +
        settings.keywordWeight * keywordScore(candidate.bm25 ?? 0, best) +
        settings.metadataWeight * candidate.metadataMatch;
      // Six decimals order everything that differs and are the same on every machine.
      return { ...candidate, relevance: Math.round(relevance * 1e6) / 1e6 };
    })
    .sort(byRelevance);
}

/** Where BM25 counts half: a middling match of a two-word query. */
const halfwayBm25 = 8;

/**
 * Half how strong the match is, half how strong beside the best one. The first keeps a weak word weak; the second keeps
 * an exact match on top in a small store, where no word is rare enough for a high BM25.
 */
export function keywordScore(bm25: number, best: number): number {
  return bm25 <= 0 ? 0 : (bm25 / (bm25 + halfwayBm25) + bm25 / best) / 2;
}

/** A total order, so that the same store always gives the same pages. */
function byRelevance(one: Ranked, other: Ranked): number {
  return (
    other.relevance - one.relevance ||
    (one.distance ?? Number.POSITIVE_INFINITY) - (other.distance ?? Number.POSITIVE_INFINITY) ||
    compareText(one.conversationId, other.conversationId) ||
    one.chunkIndex - other.chunkIndex
  );
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

import type { Candidate, QueryTraits } from './candidate.js';
import { type FeatureName, features, type Weights } from './features.js';
import { surroundingsOf } from './surroundings.js';

export interface RankSettings {
  /** 0 to 1: how far a small distance means a related text. */
  trust: number;
  keywordWeight: number;
  metadataWeight: number;
  similarity: (distance: number) => number;
  /** What the conversation around a turn counts; see models/ranker.json. */
  weights: Weights;
}

export interface Ranked extends Candidate {
  /** The fused score that orders the results, higher is better. */
  relevance: number;
  /** Each part of it, by name; parts that are zero are left out. */
  shares: Record<string, number>;
}

/** The weight of a trained model's similarity; the other weights are relative to it. */
const unit = 0.25;

/**
 * One sum of named parts, each at most 1 before its weight. Saturating scores instead of ranks: a rank calls the best of
 * five bad neighbours as good as an exact hit. A trained model's distance weighs as much as the default keyword weight;
 * a hash's distance counts for less, so that an exact match is never buried under a random neighbour.
 */
export function rank(candidates: readonly Candidate[], query: QueryTraits, settings: RankSettings): Ranked[] {
  const around = surroundingsOf(candidates, query.pieces);
  return candidates
    .map((candidate) => {
      const place = around(candidate);
      const semantic = candidate.distance === undefined ? 0 : settings.similarity(candidate.distance);
      const parts: [string, number][] = [
        ['semantic', unit * settings.trust * semantic],
        ['keyword', settings.keywordWeight * place.keyword],
        ['metadata', settings.metadataWeight * candidate.metadataMatch],
      ];
      for (const name of Object.keys(features) as FeatureName[]) {
        parts.push([name, unit * settings.weights[name] * features[name]({ candidate, query, around: place })]);
      }
      const relevance = rounded(parts.reduce((sum, [, share]) => sum + share, 0));
      const shares = Object.fromEntries(
        parts.filter(([, share]) => share !== 0).map(([name, share]) => [name, rounded(share)]),
      );
      return { ...candidate, relevance, shares };
    })
    .sort(byRelevance);
}

/** Six decimals order everything that differs and are the same on every machine. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
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

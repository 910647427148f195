import type { Hit } from '../model/hit.js';
import type { Steps } from '../model/steps.js';
import { type Candidate, exactStep, type QueryTraits } from './candidate.js';
import { type FeatureName, features, otherLanguageOf, type Weights } from './features.js';
import { surroundingsOf } from './surroundings.js';

export interface RankSettings {
  /** 0 to 1: how reliably a small distance means a related text. */
  trust: number;
  keywordWeight: number;
  metadataWeight: number;
  similarity: (distance: number) => number;
  /** The weights of the features of a message and its surroundings; see models/ranker.json. */
  weights: Weights;
  /** What a similarity of 1 by the reading model adds to the relevance; see models/ranker.json. */
  deepWeight: number;
}

export interface RankedHit extends Candidate, Hit {
  /** Its components by name; those that are zero are left out. */
  shares: Record<string, number>;
}

/** The weight of a trained model's similarity; the other weights are relative to it. */
const unit = 0.25;

/**
 * A weighted sum of named components, each at most 1. It uses saturating scores instead of ranks, because by rank the
 * best of five bad neighbours equals an exact hit. A trained model's distance weighs as much as the default keyword
 * weight; a hash's distance counts for less, so that an exact match is never buried under a random neighbour. In
 * steps: hundreds of long messages may be looked through for a time.
 */
export function* ranking(
  candidates: readonly Candidate[],
  query: QueryTraits,
  settings: RankSettings,
): Steps<RankedHit[]> {
  const around = surroundingsOf(candidates, query.pieces);
  const usualLikeness = meanOf(candidates.flatMap(({ deep }) => deep ?? []));
  const otherLanguage = otherLanguageOf(candidates, query);
  const weighed = featureNames.filter((name) => settings.weights[name] !== 0);
  const ranked: RankedHit[] = [];
  for (const candidate of candidates) {
    const place = around(candidate);
    const likeness = candidate.distance === undefined ? 0 : settings.similarity(candidate.distance);
    const semantic = settings.trust * likeness;
    const input = { candidate, query, around: place, semantic, otherLanguage };
    // Hundreds of candidates are ranked for a page of ten, so this allocates nothing that is not kept.
    const shares: Record<string, number> = {};
    let sum = 0;
    const add = (name: string, share: number): void => {
      if (share === 0) return;
      sum += share;
      shares[name] = rounded(share);
    };
    add('semantic', unit * semantic);
    add('keyword', settings.keywordWeight * place.keyword);
    add('metadata', settings.metadataWeight * candidate.metadataMatch);
    for (const name of weighed) add(name, unit * settings.weights[name] * features[name](input));
    // A message saved just now has no vector yet and must not rank behind everything else for that reason.
    add('deep', settings.deepWeight * (candidate.deep ?? usualLikeness));
    add('exact', exactShare(candidate, query, sum));
    ranked.push({ ...candidate, relevance: rounded(sum), shares });
    yield;
  }
  ranked.sort(byRelevance);
  return query.isQuotation === true ? ranked : earlierFirst(ranked).sort(byRelevance);
}

/**
 * Of the messages of one conversation that contain a short query equally well, the earliest comes first: a reply
 * repeats the word, and must not rank before the message it replies to. These messages exchange their places; nothing
 * else moves.
 */
function earlierFirst(ranked: readonly RankedHit[]): RankedHit[] {
  const equals = new Map<string, RankedHit[]>();
  for (const each of ranked) {
    if (each.exactness === undefined) continue;
    const key = `${each.conversationId} ${each.exactness}`;
    const group = equals.get(key);
    if (group === undefined) equals.set(key, [each]);
    else group.push(each);
  }
  const moved = new Map<RankedHit, RankedHit>();
  for (const group of equals.values()) {
    for (const [place, each] of group.toSorted(byTime).entries()) {
      const relevance = group[place]?.relevance ?? each.relevance;
      if (relevance === each.relevance) continue;
      const exact = rounded((each.shares.exact ?? 0) + relevance - each.relevance);
      moved.set(each, { ...each, relevance, shares: { ...each.shares, exact } });
    }
  }
  return ranked.map((each) => moved.get(each) ?? each);
}

const featureNames = Object.keys(features) as FeatureName[];

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/**
 * Exactness takes precedence over everything else. Messages that contain a quotation differ in nothing else: their
 * other components are subtracted again, so that the earlier one comes first.
 */
function exactShare({ exactness = 0 }: Candidate, { isQuotation = false }: QueryTraits, plain: number): number {
  if (exactness === 0) return 0;
  return exactStep * exactness - (isQuotation ? plain : 0);
}

/** The relevance of a chunk without its exactness. */
export function plainRelevance({ relevance, shares }: RankedHit): number {
  return relevance - (shares.exact ?? 0);
}

/** Its position depends only on exactness. */
export function isQuotation({ relevance, exactness = 0 }: RankedHit): boolean {
  return exactness > 0 && relevance === exactStep * exactness;
}

/** Six decimals distinguish everything that differs, and are equal on every machine. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** A total order, so that the same store always gives the same pages. */
export function byRelevance(one: RankedHit, other: RankedHit): number {
  return (
    other.relevance - one.relevance ||
    byTime(one, other) ||
    (one.distance ?? Number.POSITIVE_INFINITY) - (other.distance ?? Number.POSITIVE_INFINITY) ||
    compareText(one.conversationId, other.conversationId) ||
    one.chunkIndex - other.chunkIndex
  );
}

/** Of two messages that contain the query verbatim, the earlier one comes first. */
function byTime(one: RankedHit, other: RankedHit): number {
  if (one.exactness === undefined || other.exactness === undefined) return 0;
  return (
    compareText(one.at, other.at) ||
    compareText(one.conversationId, other.conversationId) ||
    one.chunkIndex - other.chunkIndex
  );
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** What a probability of 1 that a message answers adds to its relevance; `docs/search.md` compares other weights. */
const rerankWeight = 0.3;

/** Converts the logit that a message answers to its contribution to the relevance. */
export function answering(logit: number): number {
  return rounded(rerankWeight / (1 + Math.exp(-logit)));
}

/**
 * Re-ranks the hits by the reading model's scores for some of them: the logit that the message answers, by chunk id.
 * A score only adds to the relevance, so that no hit falls behind one that was not scored.
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

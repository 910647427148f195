import type { Hit } from '../model/hit.js';
import type { Steps } from '../model/steps.js';
import { type Candidate, exactStep, type QueryTraits } from './candidate.js';
import { type FeatureName, features, otherLanguageOf, type Weights } from './features.js';
import { surroundingsOf } from './surroundings.js';

export interface RankSettings {
  /** 0 to 1: how far a small distance means a related text. */
  trust: number;
  keywordWeight: number;
  metadataWeight: number;
  similarity: (distance: number) => number;
  /** What the conversation around a turn counts; see models/ranker.json. */
  weights: Weights;
  /** What full likeness by the reading model adds to the relevance; see models/ranker.json. */
  deepWeight: number;
}

export interface RankedHit extends Candidate, Hit {
  /** Each part of it, by name; parts that are zero are left out. */
  shares: Record<string, number>;
}

/** The weight of a trained model's similarity; the other weights are relative to it. */
const unit = 0.25;

/**
 * One sum of named parts, each at most 1 before its weight. Saturating scores instead of ranks: a rank calls the best of
 * five bad neighbours as good as an exact hit. A trained model's distance weighs as much as the default keyword weight;
 * a hash's distance counts for less, so that an exact match is never buried under a random neighbour. In steps: hundreds
 * of long messages may be looked through for a time.
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
    // Hundreds of candidates are ranked for a page of ten, so nothing is made here that is not kept.
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
    // What was saved just now has no likeness yet, which must not put it behind everything else.
    add('deep', settings.deepWeight * (candidate.deep ?? usualLikeness));
    add('exact', exactShare(candidate, query, sum));
    ranked.push({ ...candidate, relevance: rounded(sum), shares });
    yield;
  }
  ranked.sort(byRelevance);
  return query.isQuotation === true ? ranked : earlierFirst(ranked).sort(byRelevance);
}

/**
 * Of those in one conversation who hold a short query equally well, the first to say it comes first: a reply repeats the
 * word, and that it replies must not put it before what it replies to. They exchange their places and nothing else moves.
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
 * Exactness is an order of its own, above everything else. A quotation's holders are equal but for that: whatever else
 * they are worth is taken away again, so that the earlier speaker comes first.
 */
function exactShare({ exactness = 0 }: Candidate, { isQuotation = false }: QueryTraits, plain: number): number {
  if (exactness === 0) return 0;
  return exactStep * exactness - (isQuotation ? plain : 0);
}

/** What a chunk is worth apart from holding the whole query. */
export function plainRelevance({ relevance, shares }: RankedHit): number {
  return relevance - (shares.exact ?? 0);
}

/** Its position depends only on exactness. */
export function isQuotation({ relevance, exactness = 0 }: RankedHit): boolean {
  return exactness > 0 && relevance === exactStep * exactness;
}

/** Six decimals order everything that differs and are the same on every machine. */
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

/** Of those who said the same, the first. */
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

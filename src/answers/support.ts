import { indexTerms } from '../language/terms.js';
import type { Hit, WeightedTerm } from './hit.js';
import { thresholds } from './thresholds.js';

/** How far a hit bears out an answer, 0 to 1, and what that is made of. */
export interface Support {
  value: number;
  /** The share of the question's words, by how much they tell, in the hit and the turn before it. */
  coverage: number;
  /** How far the hit stands out from the other candidates by its similarity, 0 to 1; absent without a model to trust. */
  closeness?: number;
}

export interface SupportInput {
  terms: readonly WeightedTerm[];
  /** Similarities of everything that was found. */
  similarities: readonly number[];
  trust: number;
  /** How well a time fits those the question names: what was said in October needs not say October. */
  timeFit: (at: string) => number;
}

export interface SupportRules {
  coverageOf(text: string): number;
  /** With the turn before it; `isReply` when the hit answers that turn, so that what it is close to counts too. */
  supportOf(hit: Hit, before: Hit | undefined, options?: { isReply: boolean }): Support;
}

/**
 * Words and similarity count alike. Similarity is measured against the other candidates of the same question, because
 * what a model calls unrelated differs from model to model; a model that is not trusted leaves the words alone.
 */
export function supportRules({ terms, similarities, trust, timeFit }: SupportInput): SupportRules {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const shareOf = (found: ReadonlySet<string>, isItsTime: boolean): number => {
    const met = terms.filter(({ term, isTime }) => found.has(term) || (isTime && isItsTime));
    return total === 0 ? 0 : met.reduce((sum, { weight }) => sum + weight, 0) / total;
  };
  const background = backgroundOf(similarities);
  return {
    coverageOf: (text) => shareOf(new Set(indexTerms(text)), false),
    supportOf(hit, before, { isReply } = { isReply: false }) {
      const own = indexTerms(hit.text);
      const words = new Set(before === undefined ? own : [...own, ...indexTerms(before.text)]);
      const coverage = shareOf(words, timeFit(hit.at) > 0.5);
      // Nothing to look for is nothing found, however close.
      if (total === 0) return { value: 0, coverage };
      if (hit.similarity === undefined || trust < trusted) return { value: coverage, coverage };
      const similarity = Math.max(hit.similarity, isReply ? (before?.similarity ?? 0) : 0);
      const closeness = clamp((stretch * (similarity - background)) / (1 - background));
      return { value: (coverage + closeness) / 2, coverage, closeness };
    },
  };
}

/** A hash calls random texts similar; only a trained model's similarity says something about meaning. */
const trusted = 0.5;

/** Two texts about the same thing are rarely closer than two thirds of the way from the background to equality. */
const stretch = 1.5;

function backgroundOf(similarities: readonly number[]): number {
  if (similarities.length < thresholds.background) return thresholds.unrelated;
  const sorted = [...similarities].sort((one, other) => one - other);
  return Math.min(0.95, sorted[Math.floor(sorted.length / 2)] ?? thresholds.unrelated);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

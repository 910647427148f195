import type { VerbForms } from '../language/query-terms.js';

/** A term of the question and its weight: 0 for a word found in every second turn, more the rarer it is. */
export interface WeightedTerm {
  term: string;
  weight: number;
  /** The number of searched chunks that contain it, up to `mostCounted`. */
  count: number;
  /** The other forms of an irregular verb, which are equivalent. */
  forms?: VerbForms;
  /** Part of a time that the question names. */
  isTime?: true;
}

/** Chunks are counted up to this number; a more frequent word has almost no weight. */
export const mostCounted = 200;

/** A time says when rather than what, so its weight is capped at that of a medium-frequent word. */
export function weightOf(count: number, { isTime = false } = {}): number {
  const weight = Math.max(leastWeight, Math.log((mostCounted + 1) / (count + 0.5)));
  return isTime ? Math.min(weight, mostTimeWeight) : weight;
}

const leastWeight = 0.3;
const mostTimeWeight = 2;

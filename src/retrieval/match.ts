import type { Ranked } from './rank.js';

export const matches = ['strong', 'weak'] as const;
export type Match = (typeof matches)[number];

/** Parts of a relevance that only words of the query bring about, in the chunk, around it or in its heading. */
const byWords = ['exact', 'keyword', 'metadata', 'previous', 'next', 'answer', 'exchange', 'speaker'] as const;

/** Without a word in common, a chunk must be this similar by a trained model. A round number, not fitted to a suite. */
const similarEnough = 0.35;

/**
 * The nearest chunks are always found, however little they have to do with the query. A strong match shares a word with it,
 * stands beside one that does, or is near by the judgement of a model that can be trusted.
 */
export function matchOf(
  { shares, distance }: Ranked,
  { trust, similarity }: { trust: number; similarity: (distance: number) => number },
): Match {
  if (byWords.some((part) => (shares[part] ?? 0) > 0)) return 'strong';
  const near = distance !== undefined && trust >= 0.5 && similarity(distance) >= similarEnough;
  return near ? 'strong' : 'weak';
}

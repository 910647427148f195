import type { Distance } from '../stores/vector/contract.js';

/** A distance as a similarity from 0 to 1, so that one set of weights serves every distance. */
export const similarityOf = {
  cosine: (distance) => clamp(1 - distance),
  inner_product: (distance) => clamp(1 - distance),
  // For vectors of length one the Euclidean distance d gives the cosine 1 - d²/2; for others it still falls with d.
  l2: (distance) => clamp(1 - distance ** 2 / 2),
} satisfies Record<Distance, (distance: number) => number>;

/** The score of a hit that has no vector (yet): as far away as an unrelated text. */
export const unrelatedDistance = { cosine: 1, inner_product: 1, l2: Math.SQRT2 } satisfies Record<Distance, number>;

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

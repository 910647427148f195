import type { Distance } from '../contract.js';

/** The distance from one query to the vector that starts at `offset`; NaN where there is none. */
export type DistanceTo = (vectors: Float32Array, offset: number) => number;

/**
 * The exact distances of the contract, for brute force and for judging every other store. A vector without direction
 * has no cosine distance: the result is NaN and the point is not a hit.
 */
export function distanceFrom(distance: Distance, query: Float32Array): DistanceTo {
  return formulas[distance](query);
}

export function distanceBetween(distance: Distance, one: Float32Array, other: Float32Array): number {
  return distanceFrom(distance, one)(other, 0);
}

/**
 * Six decimals: below that, single precision differs between two ways of summing, and equal vectors would not tie.
 * Cosine may come out as -1e-7 for the same reason, so nothing but an inner product goes below zero.
 */
export function settle(distance: Distance, value: number): number {
  const rounded = Math.round(value * 1e6) / 1e6;
  return distance === 'inner_product' ? rounded : Math.max(0, rounded);
}

const formulas = {
  // 1 - cos
  cosine: (query) => {
    const length = Math.sqrt(squareOf(query));
    return (vectors, offset) => {
      let product = 0;
      let squares = 0;
      for (let i = 0; i < query.length; i++) {
        const value = vectors[offset + i] ?? 0;
        product += (query[i] ?? 0) * value;
        squares += value * value;
      }
      return settle('cosine', 1 - product / (length * Math.sqrt(squares)));
    };
  },
  // |a - b|
  l2: (query) => (vectors, offset) => {
    let squares = 0;
    for (let i = 0; i < query.length; i++) {
      const difference = (query[i] ?? 0) - (vectors[offset + i] ?? 0);
      squares += difference * difference;
    }
    return settle('l2', Math.sqrt(squares));
  },
  // 1 - dot
  inner_product: (query) => (vectors, offset) => settle('inner_product', 1 - dot(query, vectors, offset)),
} as const satisfies Record<Distance, (query: Float32Array) => DistanceTo>;

/** The squared length. */
function squareOf(vector: Float32Array): number {
  return dot(vector, vector, 0);
}

function dot(query: Float32Array, vectors: Float32Array, offset: number): number {
  let product = 0;
  for (let i = 0; i < query.length; i++) product += (query[i] ?? 0) * (vectors[offset + i] ?? 0);
  return product;
}

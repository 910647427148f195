import { expect } from 'vitest';
import type { IndexShape, NearestPoint, Point } from '../../src/stores/vector/contract.js';
import { distanceBetween } from '../../src/stores/vector/shared/nearest.js';

const exactly = 1e-4;

interface Asked {
  points: readonly Point[];
  query: Float32Array;
  limit: number;
  shape: IndexShape;
}

/** The right points in the right order with exact distances; neighbours nearer to each other than `exactly` may swap. */
export function expectNearest(hits: readonly NearestPoint[], asked: Asked): void {
  const distances = distancesOf(asked);
  const nearest = [...distances.values()].sort((one, other) => one - other).slice(0, asked.limit);
  expect(hits).toHaveLength(nearest.length);
  expect(new Set(hits.map((hit) => hit.id)).size).toBe(hits.length);
  hits.forEach((hit, i) => {
    expect(Math.abs(hit.distance - (distances.get(hit.id) ?? Number.NaN))).toBeLessThanOrEqual(exactly);
    expect(Math.abs(hit.distance - (nearest[i] ?? Number.NaN))).toBeLessThanOrEqual(exactly);
  });
}

/** How much of the true answer was found, from nothing to one; distances and their order must be right in any case. */
export function recallOf(hits: readonly NearestPoint[], asked: Asked): number {
  const distances = distancesOf(asked);
  const nearest = [...distances.values()].sort((one, other) => one - other).slice(0, asked.limit);
  const farthest = nearest.at(-1) ?? 0;
  hits.forEach((hit, i) => {
    expect(Math.abs(hit.distance - (distances.get(hit.id) ?? Number.NaN))).toBeLessThanOrEqual(exactly);
    expect(hit.distance).toBeGreaterThanOrEqual(hits[i - 1]?.distance ?? Number.NEGATIVE_INFINITY);
  });
  return hits.filter((hit) => hit.distance <= farthest + exactly).length / nearest.length;
}

export function axis(shape: IndexShape, index: number): Float32Array {
  const vector = new Float32Array(shape.dimension);
  vector[index] = 1;
  return vector;
}

function distancesOf({ points, query, shape }: Asked): Map<string, number> {
  return new Map(points.map((point) => [point.id, distanceBetween(shape.distance, query, point.vector)]));
}

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
  // One expectation for all: thousands of hits are compared.
  const isRight = ({ id, distance }: NearestPoint, i: number): boolean =>
    isNear(distance, distances.get(id)) && isNear(distance, nearest[i]);
  expect(hits.filter((hit, i) => !isRight(hit, i))).toEqual([]);
}

/** How much of the true answer was found, from nothing to one; distances and their order must be right in any case. */
export function recallOf(hits: readonly NearestPoint[], asked: Asked): number {
  const distances = distancesOf(asked);
  const nearest = [...distances.values()].sort((one, other) => one - other).slice(0, asked.limit);
  const farthest = nearest.at(-1) ?? 0;
  const isRight = ({ id, distance }: NearestPoint, i: number): boolean =>
    isNear(distance, distances.get(id)) && distance >= (hits[i - 1]?.distance ?? Number.NEGATIVE_INFINITY);
  expect(hits.filter((hit, i) => !isRight(hit, i))).toEqual([]);
  return hits.filter((hit) => hit.distance <= farthest + exactly).length / nearest.length;
}

/** False also where there is nothing to compare with. */
function isNear(distance: number, expected: number | undefined): boolean {
  return Math.abs(distance - (expected ?? Number.NaN)) <= exactly;
}

export function axis(shape: IndexShape, index: number): Float32Array {
  const vector = new Float32Array(shape.dimension);
  vector[index] = 1;
  return vector;
}

function distancesOf({ points, query, shape }: Asked): Map<string, number> {
  return new Map(points.map((point) => [point.id, distanceBetween(shape.distance, query, point.vector)]));
}

import { type IndexShape, type Point, ShapeMismatch } from '../contract.js';

/** One point per id, the last one given: what "same id replaces" means inside one call. */
export function lastOfEach(points: readonly Point[]): Point[] {
  return [...new Map(points.map((point) => [point.id, point])).values()];
}

/** Slices of at most `size`, in order. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** For back ends that would pad or cut a vector of another dimension rather than refuse it. */
export function requireDimension(shape: IndexShape, vectors: Iterable<Float32Array>): void {
  for (const vector of vectors) {
    if (vector.length !== shape.dimension) {
      throw new Error(`The index holds vectors of ${shape.dimension} numbers; one of ${vector.length} was given.`);
    }
  }
}

export function requireShape(expected: IndexShape, found: Partial<IndexShape>): void {
  if (expected.dimension === found.dimension && expected.distance === found.distance) return;
  throw new ShapeMismatch(
    `The vector index was made for ${words(found)}, and the configuration asks for ${words(expected)}.`,
  );
}

function words({ dimension, distance }: Partial<IndexShape>): string {
  return `dimension ${dimension ?? 'unknown'} with distance ${distance ?? 'unknown'}`;
}

export function vectorsOf(points: readonly Point[]): Float32Array[] {
  return points.map((point) => point.vector);
}

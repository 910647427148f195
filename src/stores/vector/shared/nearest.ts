import { runYielding } from '../../../concurrency/yielding.js';
import { type Steps, sorting } from '../../../model/steps.js';
import {
  type Distance,
  type IndexShape,
  type NearestPoint,
  type Point,
  ShapeMismatch,
  type Where,
} from '../contract.js';

/** Shared helpers for points and hits: ordering, nearest selection, batches and shape checks. */

/** Nearest first, ties by id: the order of every store's results. */
export function compareHits(one: NearestPoint, other: NearestPoint): number {
  if (one.distance !== other.distance) return one.distance - other.distance;
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

interface Nearest {
  /** Keeps this hit if it is among the nearest so far; NaN is never kept. */
  offer(id: string, distance: number): void;
  /** Anything farther than this would not be kept. */
  farthest(): number;
  /** The kept hits, in order, each id once; in steps, because every window of a long message is a point. */
  ordering(): Steps<NearestPoint[]>;
}

/** Keeps the nearest `limit` hits, in a heap whose root is the farthest. */
export function nearestOf(limit: number): Nearest {
  const heap: NearestPoint[] = [];

  function offer(id: string, distance: number): void {
    if (Number.isNaN(distance) || limit <= 0) return;
    const farthest = heap[0];
    if (heap.length < limit || farthest === undefined) {
      heap.push({ id, distance });
      rise(heap, heap.length - 1);
    } else if (distance <= farthest.distance) {
      const hit = { id, distance };
      if (compareHits(hit, farthest) >= 0) return;
      heap[0] = hit;
      sink(heap);
    }
  }

  const farthest = (): number => (heap.length < limit ? Number.POSITIVE_INFINITY : (heap[0]?.distance ?? 0));

  return { offer, farthest, ordering: () => orderingHits(heap) };
}

/** Hits in order, with only the nearest of each id, in steps. */
export function* orderingHits(hits: readonly NearestPoint[]): Steps<NearestPoint[]> {
  const seen = new Set<string>();
  const once: NearestPoint[] = [];
  for (const [place, hit] of (yield* sorting(hits, compareHits)).entries()) {
    if (!seen.has(hit.id)) once.push(hit);
    seen.add(hit.id);
    if (place % HITS_PER_STEP === HITS_PER_STEP - 1) yield;
  }
  return once;
}

const HITS_PER_STEP = 2_048;

function rise(heap: NearestPoint[], start: number): void {
  for (let child = start; child > 0; ) {
    const parent = (child - 1) >> 1;
    if (!swapIfFarther(heap, { upper: parent, lower: child })) return;
    child = parent;
  }
}

function sink(heap: NearestPoint[]): void {
  for (let parent = 0; ; ) {
    const left = 2 * parent + 1;
    const right = left + 1;
    const [leftHit, rightHit] = [heap[left], heap[right]];
    if (leftHit === undefined) return;
    const lower = rightHit !== undefined && compareHits(rightHit, leftHit) > 0 ? right : left;
    if (!swapIfFarther(heap, { upper: parent, lower })) return;
    parent = lower;
  }
}

function swapIfFarther(heap: NearestPoint[], { upper, lower }: { upper: number; lower: number }): boolean {
  const [above, below] = [heap[upper], heap[lower]];
  if (above === undefined || below === undefined || compareHits(below, above) <= 0) return false;
  heap[upper] = below;
  heap[lower] = above;
  return true;
}

/** The smallest of the numbers offered; the largest of them is infinity while there are fewer than `limit`. */
export function smallest(limit: number) {
  const heap = new Float64Array(limit).fill(Number.POSITIVE_INFINITY);
  return {
    largest: (): number => heap[0] ?? Number.NEGATIVE_INFINITY,
    offer(value: number): void {
      if (!(value < (heap[0] ?? Number.NEGATIVE_INFINITY))) return;
      let parent = 0;
      for (;;) {
        const left = 2 * parent + 1;
        if (left >= limit) break;
        const right = left + 1;
        const child = right < limit && (heap[right] ?? 0) > (heap[left] ?? 0) ? right : left;
        if ((heap[child] ?? 0) <= value) break;
        heap[parent] = heap[child] ?? 0;
        parent = child;
      }
      heap[parent] = value;
    },
  };
}

/** Extra rows requested, so that a few ties at the end need no second query. */
const SPARE_ROWS = 16;

/** Smaller partitions are scanned: about as fast as an approximate index, and exact. */
export const SCAN_ROWS = 20_000;

/** No row can match: an empty filter list, or a limit of zero. */
export function matchesNothing({ limit, where }: { limit: number; where: Where }): boolean {
  return limit <= 0 || where.ids?.length === 0 || where.conversationIds?.length === 0;
}

interface Asking {
  distance: Distance;
  limit: number;
  /** The maximum number of rows per answer. If more rows than this tie, the service chooses among them. */
  most: number;
  /** Returns the nearest `rows` rows in our distance. */
  ask(rows: number): Promise<readonly NearestPoint[]>;
}

/**
 * Makes a service with arbitrary tie order fulfil the contract: the nearest `limit`, ties by id, each id once. Asks for
 * more rows while ties may have been cut off at the end.
 */
export async function nearestComplete({ distance, limit, most, ask }: Asking): Promise<NearestPoint[]> {
  for (let rows = Math.min(limit + SPARE_ROWS, most); ; rows = Math.min(rows * 4, most)) {
    const found = (await ask(rows)).map((hit) => ({ id: hit.id, distance: settle(distance, hit.distance) }));
    const hits = await runYielding(orderingHits(found.filter((hit) => !Number.isNaN(hit.distance))));
    const cutsTies = hits.at(limit - 1)?.distance === hits.at(-1)?.distance;
    const complete = found.length < rows || (hits.length >= limit && !cutsTies);
    if (complete || rows >= most) return hits.slice(0, limit);
  }
}

/** The distance from one query to the vector at `offset`; NaN if there is none. */
export type DistanceTo = (vectors: Float32Array, offset: number) => number;

/**
 * The exact distances of the contract, for brute force and as the reference for every other store. A zero vector has no
 * cosine distance: the result is NaN and the point is not a hit.
 */
export function distanceFrom(distance: Distance, query: Float32Array): DistanceTo {
  return formulas[distance](query);
}

export function distanceBetween(distance: Distance, one: Float32Array, other: Float32Array): number {
  return distanceFrom(distance, one)(other, 0);
}

/**
 * Rounds to six decimals: beyond that, single precision depends on the order of summation, and equal vectors would not
 * tie. For the same reason cosine may come out as -1e-7, so only an inner product may be negative.
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

/** One point per id, the last one given, because within one call too the same id replaces. */
export function lastOfEach(points: readonly Point[]): Point[] {
  return [...new Map(points.map((point) => [point.id, point])).values()];
}

/** Slices of at most `size`, in order. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** For back ends that would pad or truncate a vector of another dimension instead of rejecting it. */
export function requireDimension(shape: IndexShape, vectors: Iterable<Float32Array>): void {
  for (const vector of vectors) {
    if (vector.length !== shape.dimension) {
      throw new Error(`The index contains vectors of ${shape.dimension} numbers; received one of ${vector.length}.`);
    }
  }
}

export function requireShape(expected: IndexShape, found: Partial<IndexShape>): void {
  if (expected.dimension === found.dimension && expected.distance === found.distance) return;
  throw new ShapeMismatch(
    `The vector index was created for ${words(found)}, but the configuration specifies ${words(expected)}.`,
  );
}

function words({ dimension, distance }: Partial<IndexShape>): string {
  return `dimension ${dimension ?? 'unknown'} with distance ${distance ?? 'unknown'}`;
}

export function vectorsOf(points: readonly Point[]): Float32Array[] {
  return points.map((point) => point.vector);
}

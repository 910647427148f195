import type { Point } from './contract.js';
import { createSharedBlock, numbersOf, type SharedBlock, strideOf } from './scan/kernel.js';
import { squareOf } from './shared/distance.js';

/** Points in columns: one growing block of numbers, and an array per field. An undefined id marks a free row. */
export interface Rows {
  readonly ids: readonly (string | undefined)[];
  /** Scopes by number: few of them, and most rows of most searches are judged by nothing else. */
  readonly scopes: readonly number[];
  readonly conversationIds: readonly string[];
  /** The squared length of each vector. */
  readonly squares: readonly number[];
  /** How many numbers a row takes in the block. */
  readonly stride: number;
  /** The block of all vectors; ask again after every await, it is replaced when it grows. */
  vectors(): Float32Array;
  /** The same block where another thread can scan it: once there are many rows. */
  shared(): SharedBlock | undefined;
  scopeNumber(scope: string): number | undefined;
  /** One past the last row ever used. */
  end(): number;
  size(): number;
  /** A known id keeps its row; a new one takes a free row or the next. */
  put(point: Point): void;
  remove(id: string): void;
  /** Rows of the ids that are here, each once. */
  placesOf(ids: readonly string[]): number[];
}

/** From this many rows on a scan in a thread of its own is faster than one between other work. */
const SHARED_ROWS = 4_096;

/** `expected` rows find room at once: every time the block grows, the old one is left for the collector. */
export function createRows(dimension: number, expected = 64): Rows {
  const stride = strideOf(dimension);
  const ids: (string | undefined)[] = [];
  const scopes: number[] = [];
  const scopeNumbers = new Map<string, number>();
  const conversationIds: string[] = [];
  const squares: number[] = [];
  const places = new Map<string, number>();
  const free: number[] = [];
  let vectors: Float32Array = new Float32Array(0);
  let shared: SharedBlock | undefined;
  makeRoom(Math.max(64, expected));

  function makeRoom(rows: number): void {
    const before = vectors;
    shared = rows < SHARED_ROWS ? undefined : createSharedBlock(stride, rows);
    vectors = shared === undefined ? new Float32Array(rows * stride) : numbersOf(shared).subarray(0, rows * stride);
    vectors.set(before);
  }

  function numberOf(scope: string): number {
    const known = scopeNumbers.get(scope);
    if (known !== undefined) return known;
    scopeNumbers.set(scope, scopeNumbers.size);
    return scopeNumbers.size - 1;
  }

  return {
    ids,
    scopes,
    conversationIds,
    squares,
    stride,
    vectors: () => vectors,
    shared: () => shared,
    scopeNumber: (scope) => scopeNumbers.get(scope),
    end: () => ids.length,
    size: () => places.size,

    put({ id, vector, scope, conversationId }) {
      const row = places.get(id) ?? free.pop() ?? ids.length;
      if ((row + 1) * stride > vectors.length) makeRoom(Math.max(row + 1, (vectors.length / stride) * 2));
      vectors.set(vector, row * stride);
      ids[row] = id;
      scopes[row] = numberOf(scope);
      conversationIds[row] = conversationId;
      squares[row] = squareOf(vector);
      places.set(id, row);
    },

    remove(id) {
      const row = places.get(id);
      if (row === undefined) return;
      places.delete(id);
      ids[row] = undefined;
      free.push(row);
    },

    placesOf(wanted) {
      return [...new Set(wanted)].flatMap((id) => places.get(id) ?? []);
    },
  };
}

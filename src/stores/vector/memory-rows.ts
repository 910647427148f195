import type { Point } from './contract.js';
import { type Codes, createCodes } from './memory-codes.js';

/** Points in columns: one growing block of numbers, and an array per field. An undefined id marks a free row. */
export interface Rows {
  readonly ids: readonly (string | undefined)[];
  /** Scopes by number: few of them, and most rows of most searches are judged by nothing else. */
  readonly scopes: readonly number[];
  readonly conversationIds: readonly string[];
  /** The same vectors in short, for scans. */
  readonly codes: Codes;
  /** How many numbers a row takes in the block. */
  readonly dimension: number;
  /** The block of all vectors; ask again after every await, it is replaced when it grows. */
  vectors(): Float32Array;
  scopeNumber(scope: string): number | undefined;
  /** One past the last row ever used. */
  end(): number;
  /** How often a row was given up or taken by another vector: what was found out about the rows before may be wrong then. */
  changes(): number;
  size(): number;
  /** A known id keeps its row; a new one takes a free row or the next. */
  put(point: Point): void;
  remove(id: string): void;
  /** Rows of the ids that are here, each once. */
  placesOf(ids: readonly string[]): number[];
}

/** `expected` rows find room at once: every time the block grows, the old one is left for the collector. */
export function createRows(dimension: number, expected = 64): Rows {
  const ids: (string | undefined)[] = [];
  const scopes: number[] = [];
  const scopeNumbers = new Map<string, number>();
  const conversationIds: string[] = [];
  const codes = createCodes(dimension);
  const places = new Map<string, number>();
  const free: number[] = [];
  let vectors: Float32Array = new Float32Array(0);
  let changes = 0;
  makeRoom(Math.max(64, expected));

  function makeRoom(rows: number): void {
    const before = vectors;
    vectors = new Float32Array(rows * dimension);
    vectors.set(before);
    codes.makeRoom(rows);
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
    codes,
    dimension,
    vectors: () => vectors,
    scopeNumber: (scope) => scopeNumbers.get(scope),
    end: () => ids.length,
    changes: () => changes,
    size: () => places.size,

    put({ id, vector, scope, conversationId }) {
      const row = places.get(id) ?? free.pop() ?? ids.length;
      if (row < ids.length) changes += 1;
      if ((row + 1) * dimension > vectors.length) makeRoom(grown(vectors.length / dimension));
      vectors.set(vector, row * dimension);
      ids[row] = id;
      scopes[row] = numberOf(scope);
      codes.put(row, vector, numberOf(scope));
      conversationIds[row] = conversationId;
      places.set(id, row);
    },

    remove(id) {
      const row = places.get(id);
      if (row === undefined) return;
      changes += 1;
      places.delete(id);
      codes.remove(row);
      ids[row] = undefined;
      free.push(row);
    },

    placesOf(wanted) {
      return [...new Set(wanted)].flatMap((id) => places.get(id) ?? []);
    },
  };
}

/** A large block grows by less: the old one is still there while it is copied. */
function grown(rows: number): number {
  return Math.ceil(rows * (rows < 100_000 ? 2 : 1.25));
}

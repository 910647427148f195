import type { Point } from './contract.js';

/** Points in columns: one growing block of numbers, and a string array per field. An undefined id marks a free row. */
export interface Rows {
  readonly ids: readonly (string | undefined)[];
  readonly scopes: readonly string[];
  readonly conversationIds: readonly string[];
  /** The block of all vectors; ask again after every await, it is replaced when it grows. */
  vectors(): Float32Array;
  /** One past the last row ever used. */
  end(): number;
  size(): number;
  /** A known id keeps its row; a new one takes a free row or the next. */
  put(point: Point): void;
  remove(id: string): void;
  /** Rows of the ids that are here, each once. */
  placesOf(ids: readonly string[]): number[];
}

export function createRows(dimension: number): Rows {
  const ids: (string | undefined)[] = [];
  const scopes: string[] = [];
  const conversationIds: string[] = [];
  const places = new Map<string, number>();
  const free: number[] = [];
  let vectors = new Float32Array(64 * dimension);

  return {
    ids,
    scopes,
    conversationIds,
    vectors: () => vectors,
    end: () => ids.length,
    size: () => places.size,

    put({ id, vector, scope, conversationId }) {
      const row = places.get(id) ?? free.pop() ?? ids.length;
      const needed = (row + 1) * dimension;
      if (needed > vectors.length) {
        const larger = new Float32Array(Math.max(needed, vectors.length * 2));
        larger.set(vectors);
        vectors = larger;
      }
      vectors.set(vector, row * dimension);
      ids[row] = id;
      scopes[row] = scope;
      conversationIds[row] = conversationId;
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

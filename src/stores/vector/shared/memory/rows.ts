import type { Point } from '../../contract.js';
import { type Codes, createCodes } from './codes.js';

/** Points in columns: vectors in blocks, and an array per field. An undefined id marks a free row. */
export interface Rows {
  readonly ids: readonly (string | undefined)[];
  /** Scopes by number: few of them, and most rows of most searches are judged by nothing else. */
  readonly scopes: readonly number[];
  readonly conversationIds: readonly string[];
  /** The same vectors in short, for scans. */
  readonly codes: Codes;
  /** Calls `measure` with the numbers among which the row's vector is, and where it begins. */
  measured(row: number, measure: (vectors: Float32Array, offset: number) => number): number;
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

/** Rows of a block. What has no room takes another block, so that nothing is ever copied, however many there are. */
const BLOCK_ROWS = 1_024;

export function createRows(dimension: number): Rows {
  const ids: (string | undefined)[] = [];
  const scopes: number[] = [];
  const scopeNumbers = new Map<string, number>();
  const conversationIds: string[] = [];
  const codes = createCodes(dimension);
  const places = new Map<string, number>();
  const free: number[] = [];
  const blocks: Float32Array[] = [];
  let changes = 0;

  function blockOf(row: number): Float32Array {
    const number = Math.floor(row / BLOCK_ROWS);
    const block = blocks[number] ?? new Float32Array(BLOCK_ROWS * dimension);
    blocks[number] = block;
    return block;
  }

  function offsetOf(row: number): number {
    return (row % BLOCK_ROWS) * dimension;
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
    measured: (row, measure) => measure(blockOf(row), offsetOf(row)),
    scopeNumber: (scope) => scopeNumbers.get(scope),
    end: () => ids.length,
    changes: () => changes,
    size: () => places.size,

    put({ id, vector, scope, conversationId }) {
      const row = places.get(id) ?? free.pop() ?? ids.length;
      if (row < ids.length) changes += 1;
      blockOf(row).set(vector, offsetOf(row));
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

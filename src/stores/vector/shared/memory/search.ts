import { createTimeSlice } from '../../../../concurrency/yielding.js';
import type { Hit, IndexShape, Point, Where } from '../../contract.js';
import { type DistanceTo, distanceFrom, nearestOf } from '../nearest.js';
import { type Codes, codedQuery, createCodes } from './codes.js';
import type { Scanner } from './scan/thread.js';

interface Searched {
  shape: IndexShape;
  rows: Rows;
  scanner: Scanner;
}

const ROWS_BETWEEN_LOOKS = 256;
/** How often rows may change during a scan before it falls back to measuring every row. */
const SCANS = 3;

/** Exact search. Few rows are measured here; many are scanned by a thread first, and only the nearest are measured again. */
export async function searchRows(
  { shape, rows, scanner }: Searched,
  vector: Float32Array,
  { limit, where }: { limit: number; where: Where },
): Promise<Hit[]> {
  const exact = distanceFrom(shape.distance, vector);
  const wanted = wantedRow(rows, where);
  const named = where.ids === undefined ? undefined : rows.placesOf(where.ids);
  if (named !== undefined || where.conversationIds !== undefined) {
    return nearestAmong(rows, { exact, limit, wanted, places: named });
  }
  const query = codedQuery(vector);
  const scopes = where.scopes.flatMap((scope) => rows.scopeNumber(scope) ?? []);
  for (let scan = 0; scan < SCANS; scan++) {
    const scanned = rows.codes.shared();
    if (scanned === undefined) break;
    const changes = rows.changes();
    const options = { rows: rows.end(), distance: shape.distance, limit, scopes };
    const places = await scanner.near(scanned, query, options);
    if (rows.changes() === changes) return nearestAmong(rows, { exact, limit, wanted, places });
  }
  return nearestAmong(rows, { exact, limit, wanted, places: undefined });
}

interface Asked {
  exact: DistanceTo;
  limit: number;
  wanted: (row: number) => boolean;
  /** The rows to look at; every row when absent. */
  places: ArrayLike<number> | undefined;
}

async function nearestAmong(rows: Rows, { exact, limit, wanted, places }: Asked): Promise<Hit[]> {
  const nearest = nearestOf(limit);
  await lookThrough(places?.length ?? rows.end(), (i) => {
    const row = places === undefined ? i : (places[i] ?? 0);
    const id = rows.ids[row];
    if (id !== undefined && wanted(row)) nearest.offer(id, rows.measured(row, exact));
  });
  return nearest.hits();
}

/** Rows keep their place while a scan lets others run, so a write between two slices neither hides nor doubles one. */
async function lookThrough(count: number, look: (i: number) => void): Promise<void> {
  const slice = createTimeSlice();
  for (let i = 0; i < count; i++) {
    look(i);
    if (i % ROWS_BETWEEN_LOOKS === 0 && slice.isOver()) await slice.yield();
  }
}

function wantedRow(rows: Rows, where: Where): (row: number) => boolean {
  const scopes = new Set<number | undefined>(where.scopes.flatMap((scope) => rows.scopeNumber(scope) ?? []));
  const conversations = where.conversationIds && new Set<string | undefined>(where.conversationIds);
  return (row) =>
    scopes.has(rows.scopes[row]) && (conversations === undefined || conversations.has(rows.conversationIds[row]));
}

/** Points in columns: vectors in blocks, and an array per field. An undefined id marks a free row. */
export interface Rows {
  readonly ids: readonly (string | undefined)[];
  /** Scopes by number: few of them, and most rows of most searches are judged by nothing else. */
  readonly scopes: readonly number[];
  readonly conversationIds: readonly string[];
  /** The same vectors quantised, for scans. */
  readonly codes: Codes;
  /** Calls `measure` with the numbers among which the row's vector is, and where it begins. */
  measured(row: number, measure: (vectors: Float32Array, offset: number) => number): number;
  scopeNumber(scope: string): number | undefined;
  /** One past the last row ever used. */
  end(): number;
  /** Counts rows that were freed or reused; a scan started before such a change may be wrong. */
  changes(): number;
  size(): number;
  /** A known id keeps its row; a new one takes a free row or the next. */
  put(point: Point): void;
  remove(id: string): void;
  /** Rows of the ids that are here, each once. */
  placesOf(ids: readonly string[]): number[];
}

/** Rows of a block. When a block is full, another one is added, so rows are never copied. */
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

import { createTimeSlice, runYielding } from '../../../../concurrency/yielding.js';
import type { IndexShape, NearestPoint, Point, Where } from '../../contract.js';
import { type DistanceTo, distanceFrom, nearestOf } from '../nearest.js';
import {
  type CodedQuery,
  type Columns,
  createSharedBlock,
  FREE,
  mostOf,
  roomFor,
  rowsOf,
  type ScannedRows,
  type Scanner,
  type SharedBlock,
  strideOf,
} from './scan/scanner.js';

/*
 * In-memory search: a scan of quantised codes finds candidates, which are then measured exactly. A vector is kept as its
 * codes and as what they leave over, which is quantised as well: together as exact as the number it was, in the same
 * space as without codes.
 */

interface Searched {
  shape: IndexShape;
  rows: Rows;
  scanner: Scanner;
}

const ROWS_BETWEEN_LOOKS = 256;
/** How often rows may change during a scan before it falls back to measuring every row. */
const SCANS = 3;

/** Exact search. Few rows are all measured; of more, the codes are scanned, and only the nearest are measured exactly. */
export async function searchRows(
  { shape, rows, scanner }: Searched,
  vector: Float32Array,
  { limit, where }: { limit: number; where: Where },
): Promise<NearestPoint[]> {
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
  /** The rows to examine; every row when absent. */
  places: ArrayLike<number> | undefined;
}

async function nearestAmong(rows: Rows, { exact, limit, wanted, places }: Asked): Promise<NearestPoint[]> {
  const nearest = nearestOf(limit);
  await lookThrough(places?.length ?? rows.end(), (i) => {
    const row = places === undefined ? i : (places[i] ?? 0);
    const id = rows.ids[row];
    if (id !== undefined && wanted(row)) nearest.offer(id, rows.measured(row, exact));
  });
  return runYielding(nearest.ordering());
}

/** Yields between slices. Rows keep their position, so a concurrent write neither hides nor duplicates one. */
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

/** Points in columns: one array per field. An undefined id marks a free row. */
export interface Rows {
  readonly ids: readonly (string | undefined)[];
  /** Partitions as numbers: there are few, and most searches filter by nothing else. */
  readonly scopes: readonly number[];
  readonly conversationIds: readonly string[];
  /** The vectors, quantised. */
  readonly codes: Codes;
  /** Calls `measure` with the row's vector. */
  measured(row: number, measure: DistanceTo): number;
  scopeNumber(scope: string): number | undefined;
  /** One past the last row ever used. */
  end(): number;
  /** Counts rows that were freed or reused; a scan started before such a change may be wrong. */
  changes(): number;
  size(): number;
  /** A known id keeps its row; a new one takes a free row or the next. */
  put(point: Point): void;
  remove(id: string): void;
  /** The rows of the known ids, each once. */
  placesOf(ids: readonly string[]): number[];
}

export function createRows(dimension: number): Rows {
  const ids: (string | undefined)[] = [];
  const scopes: number[] = [];
  const scopeNumbers = new Map<string, number>();
  const conversationIds: string[] = [];
  const codes = createCodes(dimension);
  const places = new Map<string, number>();
  const free: number[] = [];
  const decoded = new Float32Array(dimension);
  let changes = 0;

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
    measured(row, measure) {
      codes.read(row, decoded);
      return measure(decoded, 0);
    },
    scopeNumber: (scope) => scopeNumbers.get(scope),
    end: () => ids.length,
    changes: () => changes,
    size: () => places.size,

    put({ id, vector, scope, conversationId }) {
      const row = places.get(id) ?? free.pop() ?? ids.length;
      if (row < ids.length) changes += 1;
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

/**
 * Vectors quantised to integers of half the size, with the error bound of each row: enough to select the rows that may
 * be near. What the codes leave over takes up the other half.
 */
interface Codes {
  /** Shared memory that the kernel can scan, in another thread too; used once there are enough rows. */
  shared(): ScannedRows | undefined;
  put(row: number, vector: Float32Array, scope: number): void;
  /** Writes the vector of a row to `vector`. */
  read(row: number, vector: Float32Array): void;
  remove(row: number): void;
}

/** Rows per block of rests. A full block is followed by another one, so they are never copied. */
const BLOCK_ROWS = 1_024;

/** Rests between minus half a step and half a step are stored as whole numbers up to half of this. */
const RESTS_PER_STEP = 65_534;

/** From this capacity on, scanning the codes takes less time than measuring every row. */
const SHARED_ROWS = 512;

const LEAST_ROWS = 64;
/** From this many rows on, capacity grows by a quarter instead of doubling. */
const MANY_ROWS = 65_536;

/** Larger than any code. */
const SHIFT = 65_536;

export function createCodes(dimension: number): Codes {
  const stride = strideOf(dimension);
  let block: SharedBlock | undefined;
  let shared: ScannedRows | undefined;
  let codes: Int16Array = new Int16Array(0);
  let columns = columnsOf(0);
  const blocks: Int16Array[] = [];

  function restsOf(row: number): Int16Array {
    const number = Math.floor(row / BLOCK_ROWS);
    const rests = blocks[number] ?? new Int16Array(BLOCK_ROWS * dimension);
    blocks[number] = rests;
    const begin = (row % BLOCK_ROWS) * dimension;
    return rests.subarray(begin, begin + dimension);
  }

  /** The block grows in place, because copying it would be slow; the other columns are small. */
  function makeRoom(rows: number): void {
    const before = codes;
    if (block !== undefined) roomFor(block, rows);
    else if (rows >= SHARED_ROWS) block = createSharedBlock(stride, rows);
    codes = block === undefined ? new Int16Array(rows * stride) : rowsOf(block);
    if (shared === undefined) codes.set(before);
    columns = columnsOf(rows, columns);
    shared = block && { block, columns };
  }

  return {
    shared: () => shared,

    remove(row) {
      columns.scopes[row] = FREE;
    },

    put(row, vector, scope) {
      const room = columns.scopes.length;
      if (row >= room) makeRoom(Math.max(LEAST_ROWS, row + 1, Math.ceil(room * (room < MANY_ROWS ? 2 : 1.25))));
      columns.scopes[row] = scope;
      const { step, length, loss } = encode(vector, codes.subarray(row * stride, (row + 1) * stride), restsOf(row));
      columns.steps[row] = step;
      columns.lengths[row] = length;
      columns.losses[row] = loss;
    },

    read(row, vector) {
      const step = columns.steps[row] ?? 0;
      const rests = restsOf(row);
      const begin = row * stride;
      for (let i = 0; i < dimension; i++) {
        vector[i] = ((codes[begin + i] ?? 0) + (rests[i] ?? 0) / RESTS_PER_STEP) * step;
      }
    },
  };
}

export function codedQuery(vector: Float32Array): CodedQuery {
  const codes = new Int16Array(strideOf(vector.length));
  return { codes, ...encode(vector, codes) };
}

/** Capacity for this many rows, including the existing ones. */
function columnsOf(rows: number, before?: Columns): Columns {
  const numbers = (known?: Float64Array): Float64Array => {
    const column = new Float64Array(new SharedArrayBuffer(rows * Float64Array.BYTES_PER_ELEMENT));
    if (known !== undefined) column.set(known);
    return column;
  };
  const scopes = new Int32Array(new SharedArrayBuffer(rows * Int32Array.BYTES_PER_ELEMENT)).fill(FREE);
  if (before !== undefined) scopes.set(before.scopes);
  return { steps: numbers(before?.steps), lengths: numbers(before?.lengths), losses: numbers(before?.losses), scopes };
}

/** Encodes into `codes`, which has the length of a row, and writes what they leave over to `rests`. */
function encode(vector: Float32Array, codes: Int16Array, rests?: Int16Array) {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i] ?? 0);
    if (size > largest) largest = size;
  }
  const step = largest / mostOf(codes.length);
  const steps = step > 0 ? 1 / step : 0;
  let squares = 0;
  let lost = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] ?? 0;
    // Same result as Math.round in a third of the time: the sum is positive, so truncation rounds down.
    const code = ((value * steps + SHIFT + 0.5) | 0) - SHIFT;
    const rest = value - code * step;
    codes[i] = code;
    if (rests !== undefined) rests[i] = Math.round(rest * steps * RESTS_PER_STEP);
    squares += value * value;
    lost += rest * rest;
  }
  return { step, length: Math.sqrt(squares), loss: Math.sqrt(lost) };
}

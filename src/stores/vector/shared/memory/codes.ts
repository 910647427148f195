import { createSharedBlock, mostOf, roomFor, rowsOf, type SharedBlock, strideOf } from './scan/kernel.js';
import { type CodedQuery, type Columns, FREE, type ScannedRows } from './scan/select.js';

/** Vectors quantised to integers of half the size, with the error bound of each row: enough to know which rows may be near. */
export interface Codes {
  /** Shared memory that another thread can scan, used once there are many rows. */
  shared(): ScannedRows | undefined;
  put(row: number, vector: Float32Array, scope: number): void;
  remove(row: number): void;
}

/** From this many rows on a scan in a thread of its own is faster than one between other work. */
const SHARED_ROWS = 4_096;

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

  /** The block grows in place, because copying it would take long; the other columns are small. */
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
      const { step, length, loss } = encode(vector, codes.subarray(row * stride, (row + 1) * stride));
      columns.steps[row] = step;
      columns.lengths[row] = length;
      columns.losses[row] = loss;
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

/** Into `codes`, which are as long as a row. */
function encode(vector: Float32Array, codes: Int16Array) {
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
    squares += value * value;
    lost += rest * rest;
  }
  return { step, length: Math.sqrt(squares), loss: Math.sqrt(lost) };
}

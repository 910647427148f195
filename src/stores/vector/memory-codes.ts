import { createSharedBlock, mostOf, rowsOf, strideOf } from './scan/kernel.js';
import type { ScannedRows } from './scan/protocol.js';
import { type CodedQuery, type Columns, FREE } from './scan/select.js';

/** Vectors in half their size, as whole numbers, and how much is lost by it: enough to know what may be near. */
export interface Codes {
  /** Where another thread can scan them: once there are many rows. */
  shared(): ScannedRows | undefined;
  makeRoom(rows: number): void;
  put(row: number, vector: Float32Array, scope: number): void;
  remove(row: number): void;
}

/** From this many rows on a scan in a thread of its own is faster than one between other work. */
const SHARED_ROWS = 4_096;

/** Larger than any code. */
const SHIFT = 65_536;

export function createCodes(dimension: number): Codes {
  const stride = strideOf(dimension);
  let shared: ScannedRows | undefined;
  let codes: Int16Array = new Int16Array(0);
  let columns = columnsOf(0);

  return {
    shared: () => shared,

    makeRoom(rows) {
      const before = { codes, columns };
      const block = rows < SHARED_ROWS ? undefined : createSharedBlock(stride, rows);
      codes = block === undefined ? new Int16Array(rows * stride) : rowsOf(block).subarray(0, rows * stride);
      codes.set(before.codes);
      columns = columnsOf(rows, before.columns);
      shared = block && { block, columns };
    },

    remove(row) {
      columns.scopes[row] = FREE;
    },

    put(row, vector, scope) {
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

/** Room for so many rows, the ones before among them. */
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
    // As Math.round, in a third of the time: the sum is positive, so cutting it off rounds it down.
    const code = ((value * steps + SHIFT + 0.5) | 0) - SHIFT;
    const rest = value - code * step;
    codes[i] = code;
    squares += value * value;
    lost += rest * rest;
  }
  return { step, length: Math.sqrt(squares), loss: Math.sqrt(lost) };
}

import { Worker } from 'node:worker_threads';
import type { Distance } from '../../../contract.js';
import { smallest } from '../../nearest.js';

export interface Scanner {
  /** The rows among the first `rows` that may be among the nearest; one scan at a time, in order. */
  near(scanned: ScannedRows, query: CodedQuery, options: NearOptions): Promise<Int32Array>;
  /** Ends the thread after pending work; the next scan starts another. */
  stop(): Promise<void>;
}

type NearOptions = Omit<Selection, 'query'> & { rows: number };

/** Starting another thread takes longer than a scan, so a few small blocks may wait. */
const MOST_LEFT = 32 * 2 ** 20;

/** Scanning fewer rows than this takes less time than waking a thread. */
const ROWS_IN_THREAD = 4_096;

/**
 * Scans many rows outside the event loop, in a thread that starts with the first such scan and does not keep an idle
 * process alive.
 */
export function createScanner(): Scanner {
  let worker: Worker | undefined;
  let told: ScannedRows | undefined;
  /** The bytes of blocks that the thread no longer scans but may still hold. */
  let left = 0;
  let own: { block: SharedBlock; products: Promise<Products> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function started(): Worker {
    if (worker !== undefined) return worker;
    // The process's own flags (loaders, inspectors) do not apply to this thread.
    const thread = new Worker(new URL('./worker.js', import.meta.url), { execArgv: [] });
    thread.unref();
    // Pending calls are rejected through `ask`; without any there is nothing to report.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      if (worker === thread) worker = undefined;
    });
    worker = thread;
    told = undefined;
    left = 0;
    return thread;
  }

  /**
   * Ends a thread that has scanned other blocks before. It holds them until its next garbage collection, and a thread
   * that creates hardly any garbage has none for hours: a table that is read again after each compaction left half a
   * gigabyte.
   */
  async function releaseOthers({ block }: ScannedRows): Promise<void> {
    if (told === undefined || told.block === block) return;
    left += told.block.memory.buffer.byteLength;
    if (left < MOST_LEFT) return;
    const thread = worker;
    worker = undefined;
    await thread?.terminate();
  }

  /**
   * Scans in this thread. A block has space for one query at a time, so these scans wait for those of the other
   * thread.
   */
  async function scanHere({ block, columns }: ScannedRows, { codes, rows, selection }: Scan): Promise<Int32Array> {
    if (own?.block !== block) own = { block, products: openKernel(block) };
    const products = await own.products;
    const made = new Int32Array(rows);
    products(codes, rows, made);
    return selectRows(made, columns, selection);
  }

  async function scan(scanned: ScannedRows, query: CodedQuery, options: NearOptions): Promise<Int32Array> {
    const { codes, ...measures } = query;
    const { rows, ...rest } = options;
    const request: Scan = { codes, rows, selection: { ...rest, query: measures } };
    if (rows < ROWS_IN_THREAD) return scanHere(scanned, request);
    own = undefined;
    await releaseOthers(scanned);
    const thread = started();
    const answer = await ask(thread, told === scanned ? request : { ...request, told: scanned });
    told = scanned;
    if ('failed' in answer) throw new Error(`The scan of the vectors failed: ${answer.failed}`);
    return answer.places;
  }

  return {
    near(scanned, query, options) {
      const result = last.then(() => scan(scanned, query, options));
      last = result.catch(() => undefined);
      return result;
    },

    async stop() {
      await last;
      await worker?.terminate();
    },
  };
}

function ask(thread: Worker, request: Scan): Promise<ScanAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      thread.off('message', answered);
      thread.off('exit', ended);
      thread.unref();
      then();
    };
    const answered = (answer: ScanAnswer) => settle(() => resolve(answer));
    const ended = () => settle(() => reject(new Error('The thread that scans the vectors has ended.')));
    thread.on('message', answered);
    thread.on('exit', ended);
    // Keeps the process alive while it waits for an answer.
    thread.ref();
    thread.postMessage(request);
  });
}

/** Selects the nearest codes with a WebAssembly kernel. */

/** Columns besides the codes, one number per row. */
export interface Columns {
  /** The value of one quantisation step of the row. */
  steps: Float64Array;
  /** The length of the row's vector. */
  lengths: Float64Array;
  /** The length of the quantisation error. */
  losses: Float64Array;
  /** The number of the row's partition; `FREE` for a free row. */
  scopes: Int32Array;
}

export const FREE = -1;

export interface CodedQuery {
  codes: Int16Array;
  step: number;
  length: number;
  loss: number;
}

interface Selection {
  distance: Distance;
  query: Omit<CodedQuery, 'codes'>;
  limit: number;
  scopes: readonly number[];
}

/** Distances are rounded to millionths, and ties are ordered by id. */
const SLACK = 2e-6;

/**
 * All rows that may be among the nearest: those whose lower bound does not exceed the upper bound of the last of the
 * nearest. The product of two vectors is the product of their codes, within the query's length times the row's
 * quantisation error plus the length of the row's codes times the query's error. Rows without a distance are never
 * included.
 */
export function selectRows(products: Int32Array, columns: Columns, { distance, query, limit, scopes }: Selection) {
  const { steps, lengths, losses } = columns;
  const wanted = new Set(scopes);
  const least = new Float64Array(products.length);
  const worst = smallest(limit);
  for (let row = 0; row < products.length; row++) {
    least[row] = Number.NaN;
    if (!wanted.has(columns.scopes[row] ?? FREE)) continue;
    const length = lengths[row] ?? 0;
    const loss = losses[row] ?? 0;
    const product = (products[row] ?? 0) * query.step * (steps[row] ?? 0);
    const doubt = query.length * loss + query.loss * (length + loss);
    if (distance === 'l2') {
      const squared = query.length * query.length + length * length - 2 * product;
      least[row] = Math.sqrt(Math.max(0, squared - 2 * doubt));
      worst.offer(Math.sqrt(squared + 2 * doubt));
    } else {
      const scale = distance === 'cosine' ? query.length * length : 1;
      least[row] = 1 - (product + doubt) / scale;
      worst.offer(1 - (product - doubt) / scale);
    }
  }
  const farthest = worst.largest() + SLACK;
  const places: number[] = [];
  for (let row = 0; row < least.length; row++) if ((least[row] ?? Number.NaN) <= farthest) places.push(row);
  return Int32Array.from(places);
}

/** The rows as the scanning thread sees them, in shared memory. */
export interface ScannedRows {
  block: SharedBlock;
  columns: Columns;
}

/** A scan. `told` is sent only when the block or its columns changed. */
export interface Scan {
  told?: ScannedRows;
  codes: Int16Array;
  /** How many of the rows to scan. */
  rows: number;
  selection: Selection;
}

export type ScanAnswer = { places: Int32Array } | { failed: string };

/** The part of WebAssembly that we use; Node's types leave it to the DOM types. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory;
  instantiate(
    binary: Uint8Array,
    imports: { scan: { memory: SharedMemory } },
  ): Promise<{ instance: { exports: { products: Kernel } } }>;
};

interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

type Kernel = (query: number, row: number, rows: number, stride: number, out: number) => void;

/** `kernel.wat` in binary form. */
export const binary = Buffer.from(
  [
    'AGFzbQEAAAABCQFgBX9/f39/AAITAQRzY2FuBm1lbW9yeQIDAYCABAMCAQAHDAEIcHJvZHVjdHMAAArNAQHKAQIDfwJ7IAQgAkECdGohBQJAA0AgBCAF',
    'Tw0B/QwAAAAAAAAAAAAAAAAAAAAAIQj9DAAAAAAAAAAAAAAAAAAAAAAhCSAAIQYgASADQQF0aiEHAkADQCABIAdPDQEgCCAG/QAEACAB/QAEAP26Af2u',
    'ASEIIAkgBv0ABBAgAf0ABBD9ugH9rgEhCSAGQSBqIQYgAUEgaiEBDAALCyAIIAn9rgEhCCAEIAj9GwAgCP0bAWogCP0bAiAI/RsDamo2AgAgBEEEaiEE',
    'DAALCws=',
  ].join(''),
  'base64',
);

/** Rows per call of the kernel. */
const ROWS_A_CALL = 4_096;
const PRODUCT_BYTES = Int32Array.BYTES_PER_ELEMENT;
const CODE_BYTES = Int16Array.BYTES_PER_ELEMENT;
const PAGE = 65_536;
/** The maximum that the kernel declares. */
const MOST_PAGES = 65_536;

/** A block of rows in shared memory: space for results and the query first, then the rows. */
export interface SharedBlock {
  memory: SharedMemory;
  /** Numbers per row. */
  stride: number;
  /** The byte offset of the rows. */
  rowsAt: number;
}

/** The kernel processes sixteen numbers at a time, so rows are padded with zeros to a multiple of sixteen. */
export function strideOf(dimension: number): number {
  return Math.ceil(dimension / 16) * 16;
}

/** The largest code for which the product of two rows fits into 32 bits. */
export function mostOf(stride: number): number {
  return Math.min(2 ** 15 - 1, Math.floor(Math.sqrt((2 ** 31 - 1) / stride)));
}

export function createSharedBlock(stride: number, rows: number): SharedBlock {
  const rowsAt = Math.ceil((ROWS_A_CALL * PRODUCT_BYTES + stride * CODE_BYTES) / PAGE) * PAGE;
  const initial = pagesOf({ stride, rowsAt }, rows);
  return { memory: new WebAssembly.Memory({ initial, maximum: MOST_PAGES, shared: true }), stride, rowsAt };
}

function pagesOf({ stride, rowsAt }: Omit<SharedBlock, 'memory'>, rows: number): number {
  return Math.ceil((rowsAt + rows * stride * CODE_BYTES) / PAGE);
}

/** Grows the block in place; existing typed arrays over it do not cover the new rows. */
export function roomFor(block: SharedBlock, rows: number): void {
  const missing = pagesOf(block, rows) - block.memory.buffer.byteLength / PAGE;
  if (missing > 0) block.memory.grow(missing);
}

export function rowsOf({ memory, rowsAt }: SharedBlock): Int16Array {
  return new Int16Array(memory.buffer, rowsAt);
}

/** Writes the inner product of the query with each of the first `rows` rows. */
export type Products = (query: Int16Array, rows: number, out: Int32Array) => void;

export async function openKernel({ memory, stride, rowsAt }: SharedBlock): Promise<Products> {
  const { instance } = await WebAssembly.instantiate(binary, { scan: { memory } });
  const { products } = instance.exports;
  const made = new Int32Array(memory.buffer, 0, ROWS_A_CALL);
  const queryAt = ROWS_A_CALL * PRODUCT_BYTES;
  const asked = new Int16Array(memory.buffer, queryAt, stride);
  return (query, rows, out) => {
    asked.fill(0);
    asked.set(query);
    for (let row = 0; row < rows; row += ROWS_A_CALL) {
      const count = Math.min(ROWS_A_CALL, rows - row);
      products(queryAt, rowsAt + row * stride * CODE_BYTES, count, stride, 0);
      out.set(made.subarray(0, count), row);
    }
  };
}

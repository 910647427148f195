/** The part of WebAssembly we use; Node's types leave it to the DOM types. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory;
  instantiate(
    binary: Uint8Array,
    imports: { scan: { memory: SharedMemory } },
  ): Promise<{ instance: { exports: { products: Kernel } } }>;
};

export interface SharedMemory {
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
/** As the kernel declares. */
const MOST_PAGES = 65_536;

/** A block of rows that a scanning thread can see: room for results and for the query first, then the rows. */
export interface SharedBlock {
  memory: SharedMemory;
  /** How many numbers a row takes. */
  stride: number;
  /** Where the rows begin, in bytes. */
  rowsAt: number;
}

/** Numbers come sixteen at a time, so a row is as long as the next multiple of it; what is added stays zero. */
export function strideOf(dimension: number): number {
  return Math.ceil(dimension / 16) * 16;
}

/** The largest number there may be, so that the product of two rows fits into 32 bits. */
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

/** Rows stay where they are; arrays over the block made before do not reach the new ones. */
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

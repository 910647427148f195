/** What is used of WebAssembly; Node's own types leave it to those of a browser. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory;
  instantiate(
    binary: Uint8Array,
    imports: { scan: { memory: SharedMemory } },
  ): Promise<{ instance: { exports: { products: Kernel } } }>;
};

export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

type Kernel = (query: number, row: number, rows: number, stride: number, out: number) => void;

/** `kernel.wat` in binary form. */
export const binary = Buffer.from(
  [
    'AGFzbQEAAAABCQFgBX9/f39/AAITAQRzY2FuBm1lbW9yeQIDAYCABAMCAQAHDAEIcHJvZHVjdHMAAArNAQHKAQIDfwJ7IAQgAkECdGohBQJAA0Ag',
    'BCAFTw0B/QwAAAAAAAAAAAAAAAAAAAAAIQj9DAAAAAAAAAAAAAAAAAAAAAAhCSAAIQYgASADQQJ0aiEHAkADQCABIAdPDQEgCCAG/QAEACAB/QAE',
    'AP3mAf3kASEIIAkgBv0ABBAgAf0ABBD95gH95AEhCSAGQSBqIQYgAUEgaiEBDAALCyAIIAn95AEhCCAEIAj9HwAgCP0fAZIgCP0fAiAI/R8DkpI4',
    'AgAgBEEEaiEEDAALCws=',
  ].join(''),
  'base64',
);

/** Rows whose products are made in one go. */
const ROWS_A_CALL = 4_096;
const BYTES = Float32Array.BYTES_PER_ELEMENT;
const PAGE = 65_536;

/** A block of rows that a scanning thread can see: room for the query and for results first, then the rows. */
export interface SharedBlock {
  memory: SharedMemory;
  stride: number;
  /** Where the rows begin, in bytes. */
  rowsAt: number;
}

/** Numbers come eight at a time, so a row is as long as the next multiple of eight; what is added stays zero. */
export function strideOf(dimension: number): number {
  return Math.ceil(dimension / 8) * 8;
}

export function createSharedBlock(stride: number, rows: number): SharedBlock {
  const rowsAt = Math.ceil(((ROWS_A_CALL + stride) * BYTES) / PAGE) * PAGE;
  const pages = Math.ceil((rowsAt + rows * stride * BYTES) / PAGE);
  return { memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }), stride, rowsAt };
}

export function numbersOf({ memory, rowsAt }: SharedBlock): Float32Array<SharedArrayBuffer> {
  return new Float32Array(memory.buffer, rowsAt);
}

/** Writes the inner product of the query with each of the first `rows` rows. */
export type Products = (query: Float32Array, rows: number, out: Float32Array) => void;

export async function openKernel({ memory, stride, rowsAt }: SharedBlock): Promise<Products> {
  const { instance } = await WebAssembly.instantiate(binary, { scan: { memory } });
  const { products } = instance.exports;
  const made = new Float32Array(memory.buffer, 0, ROWS_A_CALL);
  const queryAt = ROWS_A_CALL * BYTES;
  const asked = new Float32Array(memory.buffer, queryAt, stride);
  return (query, rows, out) => {
    asked.fill(0);
    asked.set(query);
    for (let row = 0; row < rows; row += ROWS_A_CALL) {
      const count = Math.min(ROWS_A_CALL, rows - row);
      products(queryAt, rowsAt + row * stride * BYTES, count, stride, 0);
      out.set(made.subarray(0, count), row);
    }
  };
}

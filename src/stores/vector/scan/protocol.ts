import type { SharedBlock } from './kernel.js';

/** What the scanning thread is asked. The block is told only when it is another one than before. */
export interface Scan {
  block?: SharedBlock;
  query: Float32Array;
  rows: number;
  /** Where the products go, a number a row. */
  out: SharedArrayBuffer;
}

export type ScanAnswer = { done: true } | { failed: string };

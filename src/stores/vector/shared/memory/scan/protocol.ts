import type { SharedBlock } from './kernel.js';
import type { Columns, Selection } from './select.js';

/** Rows as the scanning thread sees them, in memory that it shares. */
export interface ScannedRows {
  block: SharedBlock;
  columns: Columns;
}

/** A request to the scanning thread. `told` is sent only when the block or its columns changed. */
export interface Scan {
  told?: ScannedRows;
  codes: Int16Array;
  /** How many of the rows. */
  rows: number;
  selection: Selection;
}

export type ScanAnswer = { places: Int32Array } | { failed: string };

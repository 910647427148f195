import type { SharedBlock } from './kernel.js';
import type { Columns, Selection } from './select.js';

/** Rows as the scanning thread sees them, in memory that it shares. */
export interface ScannedRows {
  block: SharedBlock;
  columns: Columns;
}

/** What the scanning thread is asked. The rows are told only when they are others than before. */
export interface Scan {
  told?: ScannedRows;
  codes: Int16Array;
  /** How many of the rows. */
  rows: number;
  selection: Selection;
}

export type ScanAnswer = { places: Int32Array } | { failed: string };

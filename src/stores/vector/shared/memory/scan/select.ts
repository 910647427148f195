import type { Distance } from '../../../contract.js';
import type { SharedBlock } from './kernel.js';

/** Columns beside the codes, one number per row. */
export interface Columns {
  /** What one step of its codes is worth. */
  steps: Float64Array;
  /** How long its vector is. */
  lengths: Float64Array;
  /** The length of the quantisation error. */
  losses: Float64Array;
  /** The number of its scope; `FREE` for a row that holds nothing. */
  scopes: Int32Array;
}

export const FREE = -1;

export interface CodedQuery {
  codes: Int16Array;
  step: number;
  length: number;
  loss: number;
}

export interface Selection {
  distance: Distance;
  query: Omit<CodedQuery, 'codes'>;
  limit: number;
  scopes: readonly number[];
}

/** Distances are told in millionths, and what is equal then is in the order of its id. */
const SLACK = 2e-6;

/**
 * All rows that may be among the nearest: those not farther at best than the last of the nearest is at worst. The product
 * of two vectors is that of their codes, give or take the query times what the codes of the row leave out, and the codes
 * of the row times what those of the query do. A row without a distance is never among them.
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

/** The smallest of the numbers offered; infinity is the largest of them while there are fewer than `limit`. */
function smallest(limit: number) {
  const heap = new Float64Array(limit).fill(Number.POSITIVE_INFINITY);
  return {
    largest: (): number => heap[0] ?? Number.NEGATIVE_INFINITY,
    offer(value: number): void {
      if (!(value < (heap[0] ?? Number.NEGATIVE_INFINITY))) return;
      let parent = 0;
      for (;;) {
        const left = 2 * parent + 1;
        if (left >= limit) break;
        const right = left + 1;
        const child = right < limit && (heap[right] ?? 0) > (heap[left] ?? 0) ? right : left;
        if ((heap[child] ?? 0) <= value) break;
        heap[parent] = heap[child] ?? 0;
        parent = child;
      }
      heap[parent] = value;
    },
  };
}

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

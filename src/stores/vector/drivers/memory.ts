import type { IndexShape, Point, VectorDriver, VectorStore } from '../contract.js';
import { createScanner, type Scanner } from '../shared/memory/scan/scanner.js';
import { createRows, type Rows, searchRows } from '../shared/memory/search.js';
import { requireDimension, requireShape, vectorsOf } from '../shared/nearest.js';

/** Brute force in memory: exact, lost at exit, and the reference for every other driver. */
export const memory = {
  name: 'memory',
  persistent: false,
  distances: ['cosine', 'l2', 'inner_product'],
  create: () => createMemoryStore(createScanner()),
} as const satisfies VectorDriver<object>;

const IDS_A_PAGE = 5_000;

/** A scanner may serve several stores in succession. */
export function createMemoryStore(scanner: Scanner): VectorStore {
  let opened: { shape: IndexShape; rows: Rows } | undefined;

  function current() {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) requireShape(shape, opened.shape);
      else opened = { shape, rows: createRows(shape.dimension) };
    },

    async upsert(points: readonly Point[]) {
      const { shape, rows } = current();
      requireDimension(shape, vectorsOf(points));
      for (const point of points) rows.put(point);
    },

    async search(vector, options) {
      const { shape, rows } = current();
      requireDimension(shape, [vector]);
      return searchRows({ shape, rows, scanner }, vector, options);
    },

    async remove(ids) {
      const { rows } = current();
      for (const id of ids) rows.remove(id);
    },

    async count() {
      return current().rows.size();
    },

    async *ids() {
      const { rows } = current();
      for (let from = 0; from < rows.end(); from += IDS_A_PAGE) {
        yield rows.ids.slice(from, from + IDS_A_PAGE).filter((id) => id !== undefined);
      }
    },

    async reset(shape) {
      opened = { shape, rows: createRows(shape.dimension) };
    },

    // The rows stay until the process ends, so that closing and reopening behaves as with any other store.
    close: () => scanner.stop(),
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexShape, Point, VectorStore, Where } from './contract.js';
import type { VectorDriver } from './driver.js';
import { createRows, type Rows } from './memory-rows.js';
import { distanceFrom } from './shared/distance.js';
import { nearestOf } from './shared/nearest.js';
import { requireDimension, requireShape, vectorsOf } from './shared/points.js';

/** Brute force in the process's own memory: exact, lost at exit, and the measure of every other driver. */
export const memory = {
  name: 'memory',
  persistent: false,
  distances: ['cosine', 'l2', 'inner_product'],
  create: createMemoryStore,
} as const satisfies VectorDriver;

const TURN_MILLISECONDS = 8;
const ROWS_BETWEEN_LOOKS = 256;
const IDS_A_PAGE = 5_000;

function createMemoryStore(): VectorStore {
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

    async search(vector, { limit, where }) {
      const { shape, rows } = current();
      requireDimension(shape, [vector]);
      const distance = distanceFrom(shape.distance, vector);
      const nearest = nearestOf(limit);
      const wanted = wantedRow(rows, where);
      const places = where.ids === undefined ? undefined : rows.placesOf(where.ids);
      let turnEnds = performance.now() + TURN_MILLISECONDS;
      // Rows keep their place while a scan lets others run, so a write between two turns neither hides nor doubles one.
      for (let i = 0; i < (places?.length ?? rows.end()); i++) {
        const row = places === undefined ? i : (places[i] ?? 0);
        const id = rows.ids[row];
        if (id !== undefined && wanted(row)) nearest.offer(id, distance(rows.vectors(), row * shape.dimension));
        if (i % ROWS_BETWEEN_LOOKS !== 0 || performance.now() < turnEnds) continue;
        await nextTurn();
        turnEnds = performance.now() + TURN_MILLISECONDS;
      }
      return nearest.hits();
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

    // The rows stay until the process ends, so that closing and opening again reads like any other store.
    async close() {},
  };
}

function wantedRow(rows: Rows, where: Where): (row: number) => boolean {
  const scopes = new Set<string | undefined>(where.scopes);
  const conversations = where.conversationIds && new Set<string | undefined>(where.conversationIds);
  const ids = where.ids && new Set<string | undefined>(where.ids);
  return (row) =>
    scopes.has(rows.scopes[row]) &&
    (conversations === undefined || conversations.has(rows.conversationIds[row])) &&
    (ids === undefined || ids.has(rows.ids[row]));
}

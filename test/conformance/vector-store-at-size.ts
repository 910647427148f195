import { expect } from 'vitest';
import type { Distance, Point } from '../../src/stores/vector/contract.js';
import { axis, expectNearest, recallOf } from './vector-nearest.js';
import { aPoint, manyPoints, pointId } from './vector-points.js';
import type { OpenedVectors } from './vector-store.js';

export type Check = (title: string, run: (subjects: OpenedVectors) => Promise<void>) => void;

const scopes = ['user:one'];
/** Order, recall, races and failures: what shows only with more than a handful of points. */
export function checkAtSize(
  check: Check,
  { distances, points: most = 1_500 }: { distances: readonly Distance[]; points?: number },
): void {
  // The ring of real servers sets 10,000; with every test only what is quick has as many.
  const manyRows = Number(process.env.CONFORMANCE_POINTS ?? most);
  for (const distance of distances) {
    check(`ranks like brute force on 200 queries with ${distance}`, async ({ store, shape }) => {
      const asked = { dimension: shape.dimension, distance };
      await store.reset(asked);
      const points = manyPoints({ count: 300, dimension: shape.dimension, lengths: [0.5, 1, 2], seed: 5 });
      await store.upsert(points);
      const queries = manyPoints({ count: 200, dimension: shape.dimension, seed: 77 });
      await eachOf(queries, async ({ vector: query }) => {
        const hits = await store.search(query, { limit: 10, where: { scopes } });
        expectNearest(hits, { points, query, limit: 10, shape: asked });
      });
      const [query] = queries;
      if (query === undefined) throw new Error('no query');
      const all = await store.search(query.vector, { limit: 300, where: { scopes } });
      expectNearest(all, { points, query: query.vector, limit: 300, shape: asked });
    });
  }

  check(`finds the true neighbours among ${manyRows} points`, async ({ store, shape }) => {
    const points = manyPoints({ count: manyRows, dimension: shape.dimension, seed: 3 });
    for (let start = 0; start < points.length; start += 5_000) await store.upsert(points.slice(start, start + 5_000));
    expect(await store.count()).toBe(manyRows);
    let recall = 0;
    const queries = manyPoints({ count: 40, dimension: shape.dimension, seed: 21 });
    await eachOf(queries, async ({ vector: query }) => {
      const hits = await store.search(query, { limit: 20, where: { scopes } });
      recall += recallOf(hits, { points, query, limit: 20, shape }) / queries.length;
    });
    expect(recall).toBeGreaterThanOrEqual(0.98);
  });

  check('takes a thousand conversations and a thousand ids as filters', async ({ store, shape }) => {
    const points = manyPoints({ count: 1_200, dimension: shape.dimension, seed: 8 }).map((point, i) => ({
      ...point,
      conversationId: conversation(i),
    }));
    await store.upsert(points, { fresh: true });
    const wanted = points.slice(0, 1_000);
    const query = axis(shape, 0);
    const asked = { points: wanted, query, limit: 50, shape };
    const conversationIds = wanted.map((point) => point.conversationId);
    expectNearest(await store.search(query, { limit: 50, where: { scopes, conversationIds } }), asked);
    const ids = wanted.map((point) => point.id);
    expectNearest(await store.search(query, { limit: 50, where: { scopes, ids } }), asked);
    const both = { scopes, ids: ids.slice(0, 5), conversationIds: conversationIds.slice(3, 900) };
    expect((await store.search(query, { limit: 50, where: both })).map((hit) => hit.id).sort()).toEqual(
      ids.slice(3, 5).sort(),
    );
  });

  check('never shows again what was removed', async ({ store, shape }) => {
    const points = manyPoints({ count: 400, dimension: shape.dimension, seed: 13 });
    await store.upsert(points);
    const gone = points.filter((_, i) => i % 2 === 0);
    await store.remove(gone.map((point) => point.id));
    const kept = points.filter((_, i) => i % 2 === 1);
    expect(await store.count()).toBe(200);
    for (const { vector: query } of gone.slice(0, 10)) {
      const hits = await store.search(query, { limit: 200, where: { scopes } });
      expectNearest(hits, { points: kept, query, limit: 200, shape });
    }
  });

  check('tells apart scopes that look alike', async ({ store, shape }) => {
    // Composed and decomposed, upper and lower case, spaces around, full width, sharp s.
    const texts = [
      'user:\u00c5',
      'user:A\u030a',
      'user:a',
      'user:A',
      'user:a ',
      ' user:a',
      'user:\uff41',
      'user:\u00df',
      'user:ss',
    ];
    const points = texts.map((scope, i) => aPoint({ id: pointId(i), vector: axis(shape, 0), scope }));
    await store.upsert(points);
    for (const { id, scope } of points) {
      const hits = await store.search(axis(shape, 0), { limit: 50, where: { scopes: [scope] } });
      expect(hits.map((hit) => hit.id)).toEqual([id]);
    }
  });

  check('keeps one row however many write the same one at once', async ({ store, shape }) => {
    const writers = Array.from({ length: 8 }, (_, writer) =>
      manyPoints({ count: 30, dimension: shape.dimension, seed: 100 + writer }),
    );
    await Promise.all(writers.map((points, i) => store.upsert(i % 2 === 0 ? points : points.toReversed())));
    expect(await store.count()).toBe(30);
    const hits = await store.search(axis(shape, 0), { limit: 100, where: { scopes } });
    expect(hits.map((hit) => hit.id).sort()).toEqual((writers[0] ?? []).map((point) => point.id).sort());
  });

  check('answers while its first points are written', async ({ store, shape }) => {
    for (let round = 0; round < 8; round++) {
      await store.reset(shape);
      const points = manyPoints({ count: 3, dimension: shape.dimension, seed: 50 + round });
      const asking = Array.from({ length: 6 }, () => store.search(axis(shape, 0), { limit: 5, where: { scopes } }));
      await Promise.all([store.upsert(points), ...asking]);
      expect(await store.search(axis(shape, 0), { limit: 5, where: { scopes } })).toHaveLength(3);
    }
  });

  check('is whole after a failed write is repeated', async ({ store, shape, failSoon }) => {
    const points = manyPoints({ count: 1_500, dimension: shape.dimension, seed: 4 });
    await expect(store.upsert(withOneBroken(points))).rejects.toThrow();
    failSoon?.();
    if (failSoon !== undefined) await expect(store.upsert(points)).rejects.toThrow();
    await store.upsert(points);
    expect(await store.count()).toBe(1_500);
    const query = axis(shape, 3);
    const hits = await store.search(query, { limit: 25, where: { scopes } });
    expectNearest(hits, { points, query, limit: 25, shape });
  });
}

/** A vector of a wrong length near the end, after what other batches of the same call would have carried. */
function withOneBroken(points: readonly Point[]): Point[] {
  const broken = aPoint({ id: pointId(1_400), vector: new Float32Array(3).fill(1) });
  return points.map((point) => (point.id === broken.id ? broken : point));
}

function conversation(number: number): string {
  return `11111111-1111-4111-8111-${String(number).padStart(12, '0')}`;
}

/** Four at a time: quick on a server far away, and a small load on a small one. */
async function eachOf<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 4) await Promise.all(items.slice(start, start + 4).map(run));
}

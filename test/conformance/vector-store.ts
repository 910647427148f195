import { afterEach, describe, expect, it } from 'vitest';
import type { Distance, IndexShape, VectorStore } from '../../src/stores/vector/contract.js';
import { distanceBetween } from '../../src/stores/vector/shared/nearest.js';
import fc from '../support/properties.js';
import { axis, expectNearest } from './vector-nearest.js';
import { aPoint, manyPoints, pointId } from './vector-points.js';
import { checkAtSize } from './vector-store-at-size.js';

export interface OpenedVectors {
  /** Empty and opened with `shape`. */
  store: VectorStore;
  /** Another store over the same data, not yet opened. */
  reopen?: () => Promise<VectorStore>;
  /** At least four dimensions. */
  shape: IndexShape;
  /** Makes one request of the next write fail in the middle, where the back end is ours to break. */
  failSoon?: () => void;
}

export interface VectorSubject {
  /** A fresh store for each case; whatever it holds open besides the store is the driver test's to release. */
  open: () => Promise<OpenedVectors>;
  distances: readonly Distance[];
  persistent: boolean;
  /** How many points the largest case has, where nobody says otherwise. */
  points?: number;
  /** Only the cases whose titles match, where the others are run elsewhere. */
  only?: RegExp;
  /** Cases a back end cannot pass, by title. They run as expected to fail, so that a stale skip fails. */
  skip?: readonly { reason: string; cases: readonly string[] }[];
}

const scopes = ['user:one'];

/** What every vector driver has to pass. */
export function describeVectorStore(name: string, subject: VectorSubject): void {
  describe(`${name} keeps the vector store contract`, () => {
    const toClose: VectorStore[] = [];
    const skipped = new Map((subject.skip ?? []).flatMap(({ reason, cases }) => cases.map((title) => [title, reason])));

    afterEach(async () => {
      for (const store of toClose.splice(0)) await store.close();
    });

    async function opened(): Promise<OpenedVectors> {
      const subjects = await subject.open();
      toClose.push(subjects.store);
      return subjects;
    }

    function check(title: string, run: (subjects: OpenedVectors) => Promise<void>): void {
      if (subject.only?.test(title) === false) return;
      const reason = skipped.get(title);
      const body = async () => run(await opened());
      if (reason === undefined) it(title, body);
      else it.fails(`${title} (expected to fail: ${reason})`, body);
    }

    check('answers an empty index with nothing', async ({ store, shape }) => {
      expect(await store.count()).toBe(0);
      expect(await store.search(axis(shape, 0), { limit: 5, where: { scopes } })).toEqual([]);
    });

    check('accepts empty input', async ({ store }) => {
      await store.upsert([]);
      await store.upsert([], { fresh: true });
      await store.remove([]);
      expect(await store.count()).toBe(0);
    });

    check('finds what was written', async ({ store, shape }) => {
      await store.upsert([aPoint({ id: pointId(1), vector: axis(shape, 0) })]);
      expect(await store.count()).toBe(1);
      expect(await store.search(axis(shape, 0), { limit: 5, where: { scopes } })).toEqual([
        {
          id: pointId(1),
          distance: expect.closeTo(distanceBetween(shape.distance, axis(shape, 0), axis(shape, 0)), 4),
        },
      ]);
    });

    check('replaces a point with the same id, its scope included', async ({ store, shape }) => {
      await store.upsert([aPoint({ id: pointId(1), vector: axis(shape, 0) })]);
      await store.upsert([aPoint({ id: pointId(1), vector: axis(shape, 1), scope: 'user:two' })]);
      expect(await store.count()).toBe(1);
      expect(await store.search(axis(shape, 1), { limit: 5, where: { scopes } })).toEqual([]);
      const [hit] = await store.search(axis(shape, 1), { limit: 5, where: { scopes: ['user:two'] } });
      expect(hit?.distance).toBeCloseTo(distanceBetween(shape.distance, axis(shape, 1), axis(shape, 1)), 4);
    });

    check('keeps the last of two points with one id in one call', async ({ store, shape }) => {
      for (const fresh of [false, true]) {
        const id = pointId(fresh ? 1 : 2);
        await store.upsert([aPoint({ id, vector: axis(shape, 0) }), aPoint({ id, vector: axis(shape, 1) })], { fresh });
        const [hit] = await store.search(axis(shape, 1), { limit: 1, where: { scopes, ids: [id] } });
        expect(hit?.distance).toBeCloseTo(distanceBetween(shape.distance, axis(shape, 1), axis(shape, 1)), 4);
      }
      expect(await store.count()).toBe(2);
    });

    check('finds fresh points at once', async ({ store, shape }) => {
      const points = manyPoints({ count: 20, dimension: shape.dimension });
      await store.upsert(points, { fresh: true });
      expect(await store.count()).toBe(20);
      const query = points[7]?.vector ?? axis(shape, 0);
      expectNearest(await store.search(query, { limit: 20, where: { scopes } }), { points, query, limit: 20, shape });
    });

    check('shows a point written twice as fresh once, and removes it whole', async ({ store, shape }) => {
      const points = manyPoints({ count: 3, dimension: shape.dimension });
      await store.upsert(points, { fresh: true });
      await store.upsert(points, { fresh: true });
      const hits = await store.search(axis(shape, 0), { limit: 3, where: { scopes } });
      expect(hits.map((hit) => hit.id).sort()).toEqual(points.map((point) => point.id).sort());
      await store.remove(points.map((point) => point.id));
      expect(await store.search(axis(shape, 0), { limit: 3, where: { scopes } })).toEqual([]);
    });

    check('names every row, where it can name rows at all', async ({ store, shape }) => {
      if (store.ids === undefined) return;
      const listed = async (): Promise<string[]> => {
        const ids: string[] = [];
        for await (const page of store.ids?.() ?? []) ids.push(...page);
        return ids.sort();
      };
      expect(await listed()).toEqual([]);
      const points = manyPoints({ count: 20, dimension: shape.dimension });
      await store.upsert(points);
      const ids = points.map(({ id }) => id).sort();
      expect(await listed()).toEqual(ids);
      await store.remove(ids.slice(0, 5));
      expect(await listed()).toEqual(ids.slice(5));
    });

    for (const distance of subject.distances) {
      check(`orders by exact ${distance} distance`, async ({ store, shape }) => {
        const other = { dimension: shape.dimension, distance };
        await store.reset(other);
        const points = manyPoints({ count: 60, dimension: shape.dimension, lengths: [0.5, 1, 3] });
        await store.upsert(points);
        for (const { vector: query } of manyPoints({ count: 5, dimension: shape.dimension, seed: 99 })) {
          const hits = await store.search(query, { limit: 10, where: { scopes } });
          expectNearest(hits, { points, query, limit: 10, shape: other });
        }
      });
    }

    check('orders ties by id, also where the limit cuts them', async ({ store, shape }) => {
      const numbers = Array.from({ length: 200 }, (_, i) => (i * 37) % 200);
      await store.upsert(numbers.map((number) => aPoint({ id: pointId(number), vector: axis(shape, 0) })));
      const hits = await store.search(axis(shape, 0), { limit: 5, where: { scopes } });
      expect(hits.map((hit) => hit.id)).toEqual([0, 1, 2, 3, 4].map(pointId));
    });

    check('answers the points of the asked scopes alone, however near the others are', async ({ store, shape }) => {
      const crowd = Array.from({ length: 200 }, (_, i) =>
        aPoint({ id: pointId(i), vector: axis(shape, 0), scope: 'user:two' }),
      );
      await store.upsert([...crowd, aPoint({ id: pointId(900), vector: axis(shape, 1) })]);
      const ids = async (asked: string[]) =>
        (await store.search(axis(shape, 0), { limit: 300, where: { scopes: asked } })).map((hit) => hit.id);
      expect(await ids(['user:one'])).toEqual([pointId(900)]);
      expect(await ids(['user:three'])).toEqual([]);
      expect(await ids(['user:one', 'user:two'])).toHaveLength(201);
    });

    check('takes any text as a scope or conversation', async ({ store, shape }) => {
      const texts = [
        "it's",
        "' OR '1'='1",
        'say "hello"',
        'back\\slash',
        'größe 漢字 🦊',
        '100%_*?',
        'a,b (c)',
        '--',
        ' ',
      ];
      const points = texts.map((text, i) =>
        aPoint({ id: pointId(i), vector: axis(shape, 0), scope: `user:${text}`, conversationId: text }),
      );
      await store.upsert(points);
      for (const { id, scope, conversationId } of points) {
        const where = { scopes: [scope], conversationIds: [conversationId] };
        const hits = await store.search(axis(shape, 0), { limit: 50, where });
        expect(hits.map((hit) => hit.id)).toEqual([id]);
      }
    });

    check('keeps to the asked conversations', async ({ store, shape }) => {
      await store.upsert([
        aPoint({ id: pointId(1), vector: axis(shape, 0), conversationId: 'c1' }),
        aPoint({ id: pointId(2), vector: axis(shape, 1), conversationId: 'c2' }),
        aPoint({ id: pointId(3), vector: axis(shape, 0), conversationId: 'c2', scope: 'user:two' }),
      ]);
      const ids = async (conversationIds: string[]) =>
        (await store.search(axis(shape, 0), { limit: 9, where: { scopes, conversationIds } })).map((hit) => hit.id);
      expect(await ids(['c2'])).toEqual([pointId(2)]);
      expect(await ids(['c1', 'c2'])).toEqual([pointId(1), pointId(2)]);
      expect(await ids([])).toEqual([]);
    });

    check('answers the distance of named points, in scope only', async ({ store, shape }) => {
      const points = manyPoints({ count: 30, dimension: shape.dimension });
      const foreign = aPoint({ id: pointId(900), vector: axis(shape, 0), scope: 'user:two' });
      await store.upsert([...points, foreign]);
      const named = points.slice(10, 14);
      const ids = [...named, foreign].map((point) => point.id).concat(pointId(999));
      const query = axis(shape, 0);
      const hits = await store.search(query, { limit: 30, where: { scopes, ids } });
      expectNearest(hits, { points: named, query, limit: 30, shape });
      expect(await store.search(query, { limit: 30, where: { scopes, ids: [] } })).toEqual([]);
    });

    check('removes known ids and ignores unknown ones', async ({ store, shape }) => {
      await store.upsert([1, 2, 3].map((number) => aPoint({ id: pointId(number), vector: axis(shape, 0) })));
      await store.remove([pointId(2), pointId(77)]);
      await store.remove([pointId(2)]);
      expect(await store.count()).toBe(2);
      const hits = await store.search(axis(shape, 0), { limit: 5, where: { scopes } });
      expect(hits.map((hit) => hit.id)).toEqual([pointId(1), pointId(3)]);
    });

    check('refuses a vector of another dimension and keeps the rest', async ({ store, shape }) => {
      const short = new Float32Array(shape.dimension - 1).fill(1);
      await store.upsert([aPoint({ id: pointId(1), vector: axis(shape, 0) })]);
      await expect(store.upsert([aPoint({ id: pointId(2), vector: short })])).rejects.toThrow();
      await expect(store.search(short, { limit: 1, where: { scopes } })).rejects.toThrow();
      expect(await store.count()).toBe(1);
    });

    check('refuses to open with another shape and drops nothing', async ({ store, reopen, shape }) => {
      await store.upsert([aPoint({ id: pointId(1), vector: axis(shape, 0) })]);
      const again = (await reopen?.()) ?? store;
      const larger = { ...shape, dimension: shape.dimension + 1 };
      const refused = { name: 'ShapeMismatch', message: expect.stringContaining(String(larger.dimension)) };
      await expect(again.open(larger)).rejects.toMatchObject(refused);
      for (const distance of subject.distances.filter((other) => other !== shape.distance)) {
        await expect(again.open({ ...shape, distance })).rejects.toMatchObject({ name: 'ShapeMismatch' });
      }
      await again.open(shape);
      toClose.push(again);
      expect(await again.count()).toBe(1);
      expect(await store.count()).toBe(1);
    });

    check('is empty and takes another shape after a reset', async ({ store, shape }) => {
      await store.upsert([aPoint({ id: pointId(1), vector: axis(shape, 0) })]);
      const larger = { ...shape, dimension: shape.dimension + 3 };
      await store.reset(larger);
      expect(await store.count()).toBe(0);
      await store.upsert([aPoint({ id: pointId(1), vector: axis(larger, 0) })]);
      expect(await store.search(axis(larger, 0), { limit: 5, where: { scopes } })).toHaveLength(1);
    });

    check('can be reset after it refused to open with another shape', async ({ store, reopen, shape }) => {
      await store.upsert([aPoint({ id: pointId(1), vector: axis(shape, 0) })]);
      const again = (await reopen?.()) ?? store;
      toClose.push(again);
      const larger = { ...shape, dimension: shape.dimension + 1 };
      await expect(again.open(larger)).rejects.toMatchObject({ name: 'ShapeMismatch' });
      await again.reset(larger);
      await again.upsert([aPoint({ id: pointId(2), vector: axis(larger, 0) })]);
      expect(await again.count()).toBe(1);
    });

    check('takes a thousand points in one call', async ({ store, shape }) => {
      const points = manyPoints({ count: 1_000, dimension: shape.dimension });
      await store.upsert(points);
      expect(await store.count()).toBe(1_000);
      const query = axis(shape, 2);
      expectNearest(await store.search(query, { limit: 1_000, where: { scopes } }), {
        points,
        query,
        limit: 1_000,
        shape,
      });
    });

    check('loses nothing when many write at once', async ({ store, shape }) => {
      const points = manyPoints({ count: 60, dimension: shape.dimension });
      const parts = Array.from({ length: 12 }, (_, i) => points.slice(i * 5, i * 5 + 5));
      await Promise.all(parts.map((part, i) => store.upsert(part, { fresh: i % 2 === 0 })));
      expect(await store.count()).toBe(60);
    });

    check('changes no answer by maintenance', async ({ store, shape }) => {
      const points = manyPoints({ count: 45, dimension: shape.dimension });
      for (const point of points) await store.upsert([point], { fresh: true });
      await store.remove([points[0]?.id ?? '']);
      const ask = () => store.search(axis(shape, 1), { limit: 45, where: { scopes } });
      const before = await ask();
      expect(before).toHaveLength(44);
      await store.maintain?.();
      await store.maintain?.();
      expect(await ask()).toEqual(before);
      expect(await store.count()).toBe(44);
    });

    if (subject.persistent) {
      check('has its rows when opened again', async ({ store, reopen, shape }) => {
        const points = manyPoints({ count: 10, dimension: shape.dimension });
        await store.upsert(points);
        await store.close();
        if (reopen === undefined) throw new Error('A persistent store needs `reopen`.');
        const again = await reopen();
        toClose.push(again);
        await again.open(shape);
        const query = axis(shape, 0);
        expectNearest(await again.search(query, { limit: 10, where: { scopes } }), { points, query, limit: 10, shape });
      });
    }

    check('closes twice', async ({ store }) => {
      await store.close();
      await store.close();
    });

    checkAtSize(check, subject);

    check('agrees with brute force on any points, scopes and limits', async ({ store, shape }) => {
      const coordinate = fc.integer({ min: -3, max: 3 });
      const vectors = fc
        .array(coordinate, { minLength: shape.dimension, maxLength: shape.dimension })
        .filter((numbers) => numbers.some((number) => number !== 0))
        .map((numbers) => Float32Array.from(numbers));
      const somePoints = fc.array(
        fc.record({ vector: vectors, scope: fc.constantFrom('user:a', 'user:b', 'project:c') }),
        {
          maxLength: 25,
        },
      );
      const asked = fc.subarray(['user:a', 'user:b', 'project:c'], { minLength: 1 });
      await fc.assert(
        fc.asyncProperty(
          somePoints,
          asked,
          vectors,
          fc.integer({ min: 1, max: 30 }),
          async (drawn, wanted, query, limit) => {
            await store.reset(shape);
            const points = drawn.map((fields, i) => aPoint({ id: pointId(i), ...fields }));
            await store.upsert(points);
            const hits = await store.search(query, { limit, where: { scopes: wanted } });
            const visible = points.filter((point) => wanted.includes(point.scope));
            expectNearest(hits, { points: visible, query, limit, shape });
          },
        ),
        { numRuns: 25 },
      );
    });
  });
}

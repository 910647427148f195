import { setImmediate as nextEventLoopPass } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { memory } from '../../../src/stores/vector/drivers/memory.js';
import { aPoint, manyPoints, pointId } from '../../conformance/vector-points.js';
import { describeVectorStore } from '../../conformance/vector-store.js';

const shape = { dimension: 8, distance: 'cosine' } as const;

describeVectorStore('memory', {
  open: async () => {
    const store = memory.create();
    await store.open(shape);
    return { store, shape };
  },
  distances: memory.distances,
  persistent: memory.persistent,
  points: 10_000,
});

describe('the memory store', () => {
  it('lets other work run during a long scan and still answers exactly', async () => {
    const store = memory.create();
    const large = { dimension: 256, distance: 'l2' } as const;
    await store.open(large);
    const points = manyPoints({ count: 50, dimension: 256 });
    const vector = points[0]?.vector ?? new Float32Array(256);
    for (let i = 0; i < 1_200; i++) {
      await store.upsert(points.map((point, j) => ({ ...point, id: pointId(i * 50 + j) })));
    }
    let turns = 0;
    let searching = true;
    const search = store.search(vector, { limit: 1, where: { scopes: ['user:one'] } }).finally(() => {
      searching = false;
    });
    while (searching) {
      await nextEventLoopPass();
      turns++;
    }
    expect(await search).toEqual([{ id: pointId(0), distance: 0 }]);
    expect(turns).toBeGreaterThan(1);
  });

  it('reuses the rows of removed points', async () => {
    const store = memory.create();
    await store.open(shape);
    const points = manyPoints({ count: 100, dimension: 8 });
    for (let round = 0; round < 5; round++) {
      await store.upsert(points);
      await store.remove(points.map((point) => point.id));
    }
    await store.upsert(points.slice(0, 3));
    expect(
      await store.search(points[1]?.vector ?? new Float32Array(8), { limit: 9, where: { scopes: ['user:one'] } }),
    ).toHaveLength(3);
  });

  it('gives a vector without direction no cosine distance', async () => {
    const store = memory.create();
    await store.open(shape);
    await store.upsert([aPoint({ id: pointId(1), vector: new Float32Array(8) })]);
    const vector = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
    expect(await store.search(vector, { limit: 5, where: { scopes: ['user:one'] } })).toEqual([]);
  });
});

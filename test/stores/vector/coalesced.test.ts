import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import type { Point, VectorStore } from '../../../src/stores/vector/contract.js';
import { lancedb } from '../../../src/stores/vector/drivers/lancedb/lancedb.js';
import { memory } from '../../../src/stores/vector/drivers/memory.js';
import { coalesced } from '../../../src/stores/vector/wrappers.js';
import { aPoint, manyPoints, pointId } from '../../conformance/vector-points.js';
import { describeVectorStore } from '../../conformance/vector-store.js';

const shape = { dimension: 4, distance: 'l2' } as const;
const vectorOf = (value: number) => new Float32Array(4).fill(value);

describeVectorStore('a coalesced store', {
  open: async () => {
    const store = coalesced(memory.create());
    await store.open(shape);
    return { store, shape };
  },
  distances: memory.distances,
  persistent: false,
});

/** A memory store that notes every write it is asked for. */
async function recording(): Promise<{ store: VectorStore; writes: { ids: string[]; fresh: boolean }[] }> {
  const writes: { ids: string[]; fresh: boolean }[] = [];
  const inner = memory.create();
  await inner.open(shape);
  const upsert = async (points: readonly Point[], options?: { fresh?: boolean }) => {
    writes.push({ ids: points.map((point) => point.id), fresh: options?.fresh === true });
    await new Promise(setImmediate);
    await inner.upsert(points);
  };
  return { store: { ...inner, upsert }, writes };
}

describe('coalescing', () => {
  it('writes what arrives during a write together: the fresh ones in one call, the others in another', async () => {
    const { store, writes } = await recording();
    const together = coalesced(store);
    const points = manyPoints({ count: 6, dimension: 4 });
    await Promise.all(points.map((point, i) => together.upsert([point], { fresh: i % 2 === 0 })));
    expect(writes).toEqual([
      { ids: [pointId(1)], fresh: true },
      { ids: [pointId(3), pointId(5)], fresh: true },
      { ids: [pointId(2), pointId(4), pointId(6)], fresh: false },
    ]);
  });

  it('keeps the last point written for an id, even if callers mark several as new', async () => {
    for (const words of [
      [true, true, true],
      [true, false, true],
      [false, true, false],
    ]) {
      const { store, writes } = await recording();
      const together = coalesced(store);
      const first = together.upsert([aPoint({ id: pointId(9), vector: vectorOf(9) })]);
      const others = words.map((fresh, i) =>
        together.upsert([aPoint({ id: pointId(1), vector: vectorOf(i) })], { fresh }),
      );
      await Promise.all([first, ...others]);
      const [hit] = await store.search(vectorOf(2), { limit: 1, where: { scopes: ['user:one'] } });
      expect(hit).toEqual({ id: pointId(1), distance: 0 });
      expect(writes.filter((write) => write.fresh && write.ids.includes(pointId(1))).length).toBeLessThanOrEqual(1);
    }
  });

  it('fails only the caller whose points are bad', async () => {
    const { store } = await recording();
    const together = coalesced(store);
    const bad = aPoint({ id: pointId(50), vector: new Float32Array(3) });
    const callers = manyPoints({ count: 4, dimension: 4 }).map((point, i) =>
      together.upsert(i === 2 ? [point, bad] : [point], { fresh: true }),
    );
    const outcomes = (await Promise.allSettled(callers)).map((outcome) => outcome.status);
    expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await store.count()).toBe(3);
  });

  it('writes about five thousand points at a time', async () => {
    const { store, writes } = await recording();
    const together = coalesced(store);
    const points = manyPoints({ count: 12_000, dimension: 4 });
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => together.upsert(points.slice(i * 1_000, (i + 1) * 1_000), { fresh: true })),
    );
    expect(writes.map((write) => write.ids.length)).toEqual([1_000, 5_000, 5_000, 1_000]);
  });

  it('finishes its writes before it closes', async () => {
    const { store } = await recording();
    const together = coalesced(store);
    const writes = manyPoints({ count: 5, dimension: 4 }).map((point) => together.upsert([point]));
    await together.close();
    expect(await store.count()).toBe(5);
    await Promise.all(writes);
  });

  it('turns fifty concurrent writers into few LanceDB versions', async () => {
    const path = await mkdtemp(join(tmpdir(), 'threadkeep-'));
    const store = coalesced(lancedb.create({ settings: {}, path }));
    await store.open(shape);
    const table = await (await connect(path, { readConsistencyInterval: 0 })).openTable('chunks');
    const before = await table.version();
    await Promise.all(manyPoints({ count: 50, dimension: 4 }).map((point) => store.upsert([point], { fresh: true })));
    expect(await store.count()).toBe(50);
    expect((await table.version()) - before).toBe(2);
    await store.close();
    await rm(path, { recursive: true, force: true });
  });
});

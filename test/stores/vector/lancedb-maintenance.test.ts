import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VectorStore } from '../../../src/stores/vector/contract.js';
import { lancedb } from '../../../src/stores/vector/drivers/lancedb/lancedb.js';
import { memory } from '../../../src/stores/vector/drivers/memory.js';
import { manyPoints } from '../../conformance/vector-points.js';

describe('maintenance of a LanceDB folder', () => {
  let path: string;
  let store: VectorStore;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'threadkeep-'));
    store = lancedb.create({ settings: {}, path });
  });
  afterEach(async () => {
    await store.close();
    await rm(path, { recursive: true, force: true });
  });

  const table = async () => (await connect(path)).openTable('chunks');

  it('compacts many small writes and then leaves the table alone', async () => {
    await store.open({ dimension: 8, distance: 'cosine' });
    for (const point of manyPoints({ count: 40, dimension: 8 })) await store.upsert([point], { fresh: true });
    expect((await (await table()).stats()).fragmentStats.numFragments).toBe(40);
    await store.maintain?.();
    expect((await (await table()).stats()).fragmentStats.numFragments).toBe(1);
    const version = await (await table()).version();
    await store.maintain?.();
    expect(await (await table()).version()).toBe(version);
  });

  it('keeps young versions, which another process may be reading', async () => {
    await store.open({ dimension: 8, distance: 'cosine' });
    for (const point of manyPoints({ count: 40, dimension: 8 })) await store.upsert([point], { fresh: true });
    await store.maintain?.();
    const reader = await table();
    await reader.checkout(20);
    expect((await reader.query().select(['id']).toArray()).length).toBe(19);
  });

  it('leaves a small or young table without indexes', async () => {
    await store.open({ dimension: 8, distance: 'cosine' });
    await store.upsert(manyPoints({ count: 100, dimension: 8 }));
    await store.maintain?.();
    expect(await (await table()).listIndices()).toEqual([]);
  });

  it('runs twice at once as one round', async () => {
    await store.open({ dimension: 8, distance: 'cosine' });
    for (const point of manyPoints({ count: 40, dimension: 8 })) await store.upsert([point], { fresh: true });
    await Promise.all([store.maintain?.(), store.maintain?.(), store.maintain?.()]);
    expect(await store.count()).toBe(40);
  });

  it('indexes 25,000 rows without changing a distance, hiding a scope or a newer row', async () => {
    const shape = { dimension: 32, distance: 'cosine' } as const;
    const exact = memory.create();
    await exact.open(shape);
    await store.open(shape);
    const points = manyPoints({ count: 25_000, dimension: 32 }).map((point, i) => ({
      ...point,
      scope: i % 500 === 0 ? 'user:small' : 'user:one',
    }));
    const queries = manyPoints({ count: 30, dimension: 32, seed: 7 }).map((point) => point.vector);
    const write = async (part: typeof points) => {
      await exact.upsert(part);
      await store.upsert(part, { fresh: true });
    };
    await write(points.slice(0, 24_000));
    await store.maintain?.();
    expect((await (await table()).listIndices()).map((index) => index.columns[0]).sort()).toEqual([
      'conversation_id',
      'id',
      'scope',
      'vector',
    ]);
    await write(points.slice(24_000));

    let found = 0;
    for (const query of queries) {
      const options = { limit: 10, where: { scopes: ['user:one'] } };
      const truth = new Map((await exact.search(query, options)).map((hit) => [hit.id, hit.distance]));
      const hits = await store.search(query, options);
      expect(hits).toHaveLength(10);
      for (const hit of hits.filter((candidate) => truth.has(candidate.id))) {
        found++;
        expect(Math.abs(hit.distance - (truth.get(hit.id) ?? 0))).toBeLessThan(1e-5);
      }
      const narrow = { limit: 10, where: { scopes: ['user:small'] } };
      const ids = async (searched: VectorStore) => (await searched.search(query, narrow)).map((hit) => hit.id);
      expect(await ids(store)).toEqual(await ids(exact));
    }
    expect(found / (queries.length * 10)).toBeGreaterThanOrEqual(0.98);
    for (const { id, vector, scope } of points.slice(-5)) {
      const [nearest] = await store.search(vector, { limit: 1, where: { scopes: [scope] } });
      expect(nearest).toEqual({ id, distance: 0 });
    }
  });
});

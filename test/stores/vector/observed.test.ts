import { describe, expect, it } from 'vitest';
import { ShapeMismatch } from '../../../src/stores/vector/contract.js';
import { memory } from '../../../src/stores/vector/drivers/memory.js';
import { dryRunVectors, observedVectors, type VectorEvent } from '../../../src/stores/vector/wrappers.js';
import { aPoint, pointId } from '../../conformance/vector-points.js';

const shape = { dimension: 4, distance: 'cosine' } as const;
const vector = Float32Array.of(1, 0, 0, 0);
const where = { scopes: ['user:one'] };

async function observed() {
  const events: VectorEvent[] = [];
  const inner = memory.create();
  const store = observedVectors(inner, { dimension: 4, record: (event) => events.push(event) });
  await store.open(shape);
  return { inner, store, events };
}

describe('an observed vector store', () => {
  it('answers like the store inside and records every call', async () => {
    const { store, events } = await observed();
    await store.upsert([aPoint({ id: pointId(1), vector })]);
    expect(await store.search(vector, { limit: 1, where })).toEqual([{ id: pointId(1), distance: 0 }]);
    expect(await store.count()).toBe(1);
    await store.remove([pointId(1)]);
    await store.reset(shape);
    await store.close();
    expect(events.map(({ call, failed }) => [call, failed])).toEqual([
      ['upsert', false],
      ['search', false],
      ['count', false],
      ['remove', false],
      ['reset', false],
    ]);
    expect(events.every((event) => event.milliseconds >= 0)).toBe(true);
  });

  it('names both dimensions and the way out when a vector does not fit', async () => {
    const { store, events } = await observed();
    const refused = {
      code: 'vector_unavailable',
      message:
        'The vector index contains vectors of dimension 4 but received one of dimension 2; run "threadkeep reindex".',
    };
    await expect(store.search(new Float32Array(2), { limit: 1, where })).rejects.toMatchObject(refused);
    const point = aPoint({ id: pointId(1), vector: new Float32Array(2) });
    await expect(store.upsert([point])).rejects.toMatchObject(refused);
    expect(events.map((event) => event.failed)).toEqual([true, true]);
  });

  it('expects the dimension of the last reset', async () => {
    const { store } = await observed();
    await store.reset({ ...shape, dimension: 2 });
    await store.upsert([aPoint({ id: pointId(1), vector: new Float32Array(2).fill(1) })]);
    expect(await store.count()).toBe(1);
  });

  it('hides what a back end throws and keeps it as the cause', async () => {
    const { inner, events } = await observed();
    const outage = new Error('connect ECONNREFUSED with a password');
    const count = async () => {
      throw outage;
    };
    const store = observedVectors({ ...inner, count }, { dimension: 4, record: (event) => events.push(event) });
    await expect(store.count()).rejects.toMatchObject({
      code: 'vector_unavailable',
      message: 'The vector store failed; no saved data is lost. Try again, and see the server log if it persists.',
      cause: outage,
    });
    expect(events).toEqual([{ call: 'count', milliseconds: expect.any(Number), failed: true, error: outage }]);
  });

  it('lets a shape mismatch through', async () => {
    const { inner, store } = await observed();
    await expect(store.open({ ...shape, dimension: 5 })).rejects.toBeInstanceOf(ShapeMismatch);
    const refusing = { ...inner, reset: () => Promise.reject(new ShapeMismatch('no')) };
    const again = observedVectors(refusing, { dimension: 4, record: () => {} });
    await expect(again.reset(shape)).rejects.toBeInstanceOf(ShapeMismatch);
  });

  it('treats a search without scopes as a mistake in our own code', async () => {
    const { store } = await observed();
    const search = store.search(vector, { limit: 1, where: { scopes: [] } });
    await expect(search).rejects.toMatchObject({ name: 'Error' });
  });

  it('maintains only what can be maintained', async () => {
    const { inner, store, events } = await observed();
    expect(store.maintain).toBeUndefined();
    const maintainable = { ...inner, maintain: async () => {} };
    await observedVectors(maintainable, { dimension: 4, record: (event) => events.push(event) }).maintain?.();
    expect(events.map((event) => event.call)).toEqual(['maintain']);
  });
});

describe('a dry-run vector store', () => {
  it('reads and writes nothing', async () => {
    const inner = memory.create();
    await inner.open(shape);
    await inner.upsert([aPoint({ id: pointId(1), vector })]);
    const store = dryRunVectors(inner);
    await store.upsert([aPoint({ id: pointId(2), vector })]);
    await store.remove([pointId(1)]);
    await store.reset({ ...shape, dimension: 9 });
    await store.maintain?.();
    expect(await store.count()).toBe(1);
    expect(await store.search(vector, { limit: 5, where })).toEqual([{ id: pointId(1), distance: 0 }]);
  });

  it('still refuses a wrong dimension when observed', async () => {
    const inner = memory.create();
    await inner.open(shape);
    const store = observedVectors(dryRunVectors(inner), { dimension: 4, record: () => {} });
    const point = aPoint({ id: pointId(1), vector: new Float32Array(2) });
    await expect(store.upsert([point])).rejects.toMatchObject({ code: 'vector_unavailable' });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { Point, VectorStore } from '../../src/stores/vector/contract.js';
import { memory } from '../../src/stores/vector/drivers/memory.js';
import { createFaults, type Faults } from '../support/faults/faults.mjs';

const points: Point[] = [1, 2, 3, 4].map((number) => ({
  id: `0000000${number}-0000-5000-8000-000000000000`,
  vector: new Float32Array([1, number]),
  scope: 'project:p',
  conversationId: 'c',
}));

let faults: Faults;
let real: VectorStore;
let store: VectorStore;

beforeEach(async () => {
  faults = createFaults({ seed: 7 });
  real = memory.create();
  store = faults.around.vectors(real);
  await store.open({ dimension: 2, distance: 'cosine' });
});

/** How the next calls end: 1 well, 0 not. */
async function outcomes(calls: number): Promise<number[]> {
  const ended: number[] = [];
  for (let call = 0; call < calls; call++) {
    ended.push(
      await store.count().then(
        () => 1,
        () => 0,
      ),
    );
  }
  return ended;
}

describe('a fault on purpose', () => {
  it('is switched on and off, for one call or all of a contract', async () => {
    faults.set({ on: 'vectors.search', fault: 'error' });
    expect(await outcomes(2)).toEqual([1, 1]);
    faults.set({ on: 'vectors.*', fault: 'error' });
    expect(await outcomes(2)).toEqual([0, 0]);
    faults.clear();
    expect(await outcomes(2)).toEqual([1, 1]);
  });

  it('comes at calls by their number', async () => {
    faults.set({ on: 'vectors.count', fault: 'error', at: [2, 5] });
    expect(await outcomes(6)).toEqual([1, 0, 1, 1, 0, 1]);
    expect(faults.calls('vectors.count')).toBe(6);
  });

  it('comes by chance, the same way for the same seed', async () => {
    const rule = { on: 'vectors.count', fault: 'error', chance: 0.5 } as const;
    faults.set(rule);
    const first = await outcomes(40);
    expect(first.filter((each) => each === 1).length).toBeGreaterThan(8);
    expect(first.filter((each) => each === 0).length).toBeGreaterThan(8);
    faults = createFaults({ seed: 7 });
    store = faults.around.vectors(real);
    faults.set(rule);
    expect(await outcomes(40)).toEqual(first);
  });

  it('does half of a batch, loses an answer, or counts wrong', async () => {
    faults.set({ on: 'vectors.upsert', fault: 'partial' });
    await expect(store.upsert(points)).rejects.toThrow('on purpose');
    expect(await real.count()).toBe(2);
    faults.set({ on: 'vectors.upsert', fault: 'lost' }, { on: 'vectors.count', fault: 'wrong_count' });
    await expect(store.upsert(points)).rejects.toThrow('on purpose');
    expect([await real.count(), await store.count()]).toEqual([4, 1_004]);
  });

  it('hangs until it is over, and what hung is done then', async () => {
    faults.set({ on: 'vectors.upsert', fault: 'hang' });
    const writing = store.upsert(points);
    await new Promise((resolve) => setImmediate(resolve));
    expect([faults.hanging(), await real.count()]).toEqual([1, 0]);
    faults.clear();
    await writing;
    expect([faults.hanging(), await real.count()]).toEqual([0, 4]);
  });

  it('leaves everything else of the real thing as it is', async () => {
    await store.upsert(points);
    const hits = await store.search(new Float32Array([1, 1]), { limit: 1, where: { scopes: ['project:p'] } });
    expect(hits.map(({ id }) => id)).toEqual([points[0]?.id]);
  });
});

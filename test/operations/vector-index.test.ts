import { describe, expect, it } from 'vitest';
import { createVectorIndex } from '../../src/operations/vector-index.js';
import type { Point, VectorStore } from '../../src/stores/vector/contract.js';
import { memory } from '../../src/stores/vector/memory.js';
import { soon } from '../support/patience.js';

const shape = { dimension: 2, distance: 'cosine' } as const;
const everything = { limit: 100, where: { scopes: ['project:p'] } };
const query = new Float32Array([1, 0]);

async function aMemoryStore(): Promise<VectorStore> {
  const store = memory.create();
  await store.open(shape);
  return store;
}

function aPoint(number: number, y = number): Point {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return { id, vector: new Float32Array([1, y]), scope: 'project:p', conversationId: id };
}

/** An index over a store whose writes can be stopped, held and counted. */
async function anIndex() {
  const store = await aMemoryStore();
  const written: string[] = [];
  const writes: number[] = [];
  const events: string[] = [];
  const state = { failing: false, gate: Promise.resolve() };
  const index = createVectorIndex({
    store: {
      ...store,
      async upsert(points, options) {
        writes.push(points.length);
        await state.gate;
        if (state.failing) throw new Error('the store is away');
        await store.upsert(points, options);
      },
    },
    tail: await aMemoryStore(),
    async onWritten(ids) {
      written.push(...ids);
    },
    observer: { log: (_, event) => events.push(event), count() {}, duration() {} },
    wait: (_, signal) => new Promise((resolve) => (signal.aborted ? resolve() : setImmediate(resolve))),
  });
  const found = async (): Promise<string[]> => (await index.search(query, everything)).map(({ id }) => id);
  return { index, store, state, written, writes, events, found };
}

/** A gate that stays shut until it is opened. */
function aGate(): { shut: Promise<void>; open: () => void } {
  let open = (): void => {};
  const shut = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { shut, open };
}

describe('a point that was added', () => {
  it('is found at once, and in the store soon after', async () => {
    const { index, store, state, written, found } = await anIndex();
    const gate = aGate();
    state.gate = gate.shut;
    await index.add([aPoint(1)], { fresh: true });
    expect([await found(), await store.count(), index.holds(aPoint(1).id)]).toEqual([[aPoint(1).id], 0, true]);
    gate.open();
    await index.settled();
    expect([await found(), await store.count(), index.holds(aPoint(1).id)]).toEqual([[aPoint(1).id], 1, false]);
    expect(written).toEqual([aPoint(1).id]);
  });

  it('is never missed or doubled while it moves', async () => {
    const { index, found } = await anIndex();
    const ids: string[] = [];
    for (let number = 0; number < 50; number++) {
      await index.add([aPoint(number)], { fresh: true });
      ids.push(aPoint(number).id);
      expect((await found()).toSorted()).toEqual(ids.toSorted());
    }
  });

  it('replaces the one with its id', async () => {
    const { index, store } = await anIndex();
    await index.add([aPoint(1, 0)], { fresh: true });
    await index.add([aPoint(1, 5)], { fresh: false });
    await index.settled();
    await index.add([aPoint(1, 9)], { fresh: false });
    await index.settled();
    expect(await store.count()).toBe(1);
    const [hit] = await index.search(query, everything);
    expect(hit?.distance).toBeCloseTo(1 - 1 / Math.hypot(1, 9), 4);
  });
});

describe('writing behind', () => {
  it('joins what comes while a write is under way', async () => {
    const { index, state, writes } = await anIndex();
    const gate = aGate();
    state.gate = gate.shut;
    for (let number = 0; number < 100; number++) await index.add([aPoint(number)], { fresh: true });
    gate.open();
    await index.settled();
    expect(writes.length).toBeLessThanOrEqual(3);
    expect(writes.reduce((sum, points) => sum + points)).toBe(100);
  });

  it('goes on after an outage and loses nothing', async () => {
    const { index, store, state, events, written } = await anIndex();
    state.failing = true;
    await index.add([aPoint(1), aPoint(2)], { fresh: true });
    await expect.poll(() => events.length, soon).toBeGreaterThan(2);
    expect(new Set(events)).toEqual(new Set(['vector_write_delayed']));
    state.failing = false;
    await index.settled();
    expect([await store.count(), written.length]).toEqual([2, 2]);
  });

  it('is finished by stopping, and given up only when the store is away', async () => {
    const well = await anIndex();
    await well.index.add([aPoint(1)], { fresh: true });
    await well.index.stop();
    expect(await well.store.count()).toBe(1);
    const ill = await anIndex();
    ill.state.failing = true;
    await ill.index.add([aPoint(1)], { fresh: true });
    await ill.index.stop();
    expect(ill.written).toEqual([]);
  });
});

describe('removing', () => {
  it('takes a point away wherever it is', async () => {
    const { index, store, state, found } = await anIndex();
    await index.add([aPoint(1)], { fresh: true });
    await index.settled();
    const gate = aGate();
    state.gate = gate.shut;
    await index.add([aPoint(2), aPoint(3)], { fresh: true });
    const removed = index.remove([aPoint(1).id, aPoint(2).id]);
    gate.open();
    await removed;
    await index.settled();
    expect([await found(), await store.count()]).toEqual([[aPoint(3).id], 1]);
  });

  it('does not wait for a store that cannot write', async () => {
    const { index, state, found } = await anIndex();
    state.failing = true;
    await index.add([aPoint(1), aPoint(2)], { fresh: true });
    await index.remove([aPoint(1).id]);
    expect(await found()).toEqual([aPoint(2).id]);
    await index.remove([]);
    await index.stop();
  });
});

import { describe, expect, it } from 'vitest';
import { createVectorIndex, type EmbeddedChunk } from '../../src/indexing/vector-index.js';
import type { VectorStore } from '../../src/stores/vector/contract.js';
import { memory } from '../../src/stores/vector/drivers/memory.js';
import { soon } from '../support/patience.js';

const shape = { dimension: 2, distance: 'cosine' } as const;
const everything = { limit: 100, where: { scopes: ['project:p'] } };
const query = new Float32Array([1, 0]);

async function aMemoryStore(): Promise<VectorStore> {
  const store = memory.create();
  await store.open(shape);
  return store;
}

/** A chunk with a window for each of the angles; its number is as large as its distance, unless told otherwise. */
function aChunk(number: number, ...angles: number[]): EmbeddedChunk {
  const id = `${String(number).padStart(8, '0')}-0000-5000-8000-000000000000`;
  const vectors = (angles.length === 0 ? [number] : angles).map((y) => new Float32Array([1, y]));
  return { id, vectors, scope: 'project:p', conversationId: id };
}

/** An index over a store whose writes can be stopped, held and counted. */
async function anIndex() {
  const store = await aMemoryStore();
  const written: string[] = [];
  const writes: number[] = [];
  const events: string[] = [];
  const state = {
    failing: false,
    most: Number.POSITIVE_INFINITY,
    refused: '',
    unwanted: new Set<string>(),
    gate: Promise.resolve(),
  };
  const index = createVectorIndex({
    store: {
      ...store,
      async upsert(points, options) {
        writes.push(points.length);
        await state.gate;
        if (state.failing) throw new Error('the store is away');
        if (points.length > state.most) throw new Error('the store takes too long');
        if (points.some(({ id }) => id === state.refused)) throw new Error('the store does not want it');
        await store.upsert(points, options);
      },
    },
    tail: await aMemoryStore(),
    async onWritten(chunks) {
      const ids = chunks.map(({ id }) => id);
      written.push(...ids);
      return ids.filter((id) => state.unwanted.has(id));
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
    await index.add([aChunk(1)], { fresh: true });
    expect([await found(), await store.count(), index.holds(aChunk(1).id)]).toEqual([[aChunk(1).id], 0, true]);
    gate.open();
    await index.settled();
    expect([await found(), await store.count(), index.holds(aChunk(1).id)]).toEqual([[aChunk(1).id], 1, false]);
    expect(written).toEqual([aChunk(1).id]);
  });

  it('is never missed or doubled while it moves', async () => {
    const { index, found } = await anIndex();
    const ids: string[] = [];
    for (let number = 0; number < 50; number++) {
      await index.add([aChunk(number)], { fresh: true });
      ids.push(aChunk(number).id);
      expect((await found()).toSorted()).toEqual(ids.toSorted());
    }
  });

  it('replaces the one with its id', async () => {
    const { index, store } = await anIndex();
    await index.add([aChunk(1, 0)], { fresh: true });
    await index.add([aChunk(1, 5)], { fresh: false });
    await index.settled();
    await index.add([aChunk(1, 9)], { fresh: false });
    await index.settled();
    expect(await store.count()).toBe(1);
    const [hit] = await index.search(query, everything);
    expect(hit?.distance).toBeCloseTo(1 - 1 / Math.hypot(1, 9), 4);
  });
});

describe('a point that is written while it waits', () => {
  it('is in the store once', async () => {
    const { index, store, state, found } = await anIndex();
    const gate = aGate();
    state.gate = gate.shut;
    await index.add([aChunk(1, 0)], { fresh: true });
    const writing = index.writeThrough([aChunk(1, 5)], { fresh: false });
    gate.open();
    await writing;
    await index.settled();
    expect([await store.count(), await found(), index.waiting()]).toEqual([1, [aChunk(1).id], 0]);
    const [hit] = await index.search(query, everything);
    expect(hit?.distance).toBeCloseTo(1 - 1 / Math.hypot(1, 5), 4);
  });
});

describe('writing behind', () => {
  it('joins what comes while a write is under way', async () => {
    const { index, state, writes } = await anIndex();
    const gate = aGate();
    state.gate = gate.shut;
    for (let number = 0; number < 100; number++) await index.add([aChunk(number)], { fresh: true });
    gate.open();
    await index.settled();
    expect(writes.length).toBeLessThanOrEqual(3);
    expect(writes.reduce((sum, points) => sum + points)).toBe(100);
  });

  it('continues after an outage and loses nothing', async () => {
    const { index, store, state, events, written } = await anIndex();
    state.failing = true;
    await index.add([aChunk(1), aChunk(2)], { fresh: true });
    await expect.poll(() => events.length, soon).toBeGreaterThan(2);
    expect(new Set(events)).toEqual(new Set(['vector_write_delayed']));
    state.failing = false;
    await index.settled();
    expect([await store.count(), written.length]).toEqual([2, 2]);
  });

  it('sends less at a time to a store that cannot take so much', async () => {
    const { index, store, state, written } = await anIndex();
    state.most = 3;
    const chunks = Array.from({ length: 50 }, (_, number) => aChunk(number));
    await index.add(chunks, { fresh: true });
    await index.settled();
    expect([await store.count(), new Set(written).size, written.length]).toEqual([50, 50, 50]);
  });

  it('does not let one point that is refused stop the others', async () => {
    const { index, store, state, written } = await anIndex();
    state.refused = aChunk(7).id;
    const chunks = Array.from({ length: 20 }, (_, number) => aChunk(number));
    await index.add(chunks, { fresh: true });
    await expect.poll(() => store.count(), soon).toBe(19);
    expect([written.length, index.waiting(), index.holds(state.refused)]).toEqual([19, 1, true]);
    state.refused = '';
    await index.settled();
    expect([await store.count(), written.length]).toEqual([20, 20]);
  });

  it('is finished by stopping, and given up only when the store is away', async () => {
    const well = await anIndex();
    await well.index.add([aChunk(1)], { fresh: true });
    await well.index.stop();
    expect(await well.store.count()).toBe(1);
    const ill = await anIndex();
    ill.state.failing = true;
    await ill.index.add([aChunk(1)], { fresh: true });
    await ill.index.stop();
    expect(ill.written).toEqual([]);
  });
});

describe('a chunk of several windows', () => {
  it('is one hit, as near as its nearest window', async () => {
    const { index, store, found } = await anIndex();
    await index.add([aChunk(1, 5, 0.1, 9), aChunk(2, 2)], { fresh: true });
    expect(await found()).toEqual([aChunk(1).id, aChunk(2).id]);
    await index.settled();
    expect([await found(), await store.count()]).toEqual([[aChunk(1).id, aChunk(2).id], 4]);
    const [hit] = await index.search(query, everything);
    expect(hit?.distance).toBeCloseTo(1 - 1 / Math.hypot(1, 0.1), 4);
  });

  it('does not displace the others with its many windows', async () => {
    const { index } = await anIndex();
    const windows = Array.from({ length: 256 }, (_, window) => window / 1_000);
    await index.add([aChunk(1, ...windows), aChunk(2, 7), aChunk(3, 8)], { fresh: true });
    await index.settled();
    const hits = await index.search(query, { limit: 2, where: everything.where });
    expect(hits.map(({ id }) => id)).toEqual([aChunk(1).id, aChunk(2).id]);
  });

  it('is marked as written once, when all of it is', async () => {
    const { index, written } = await anIndex();
    await index.add([aChunk(1, 1, 2, 3)], { fresh: true });
    await index.settled();
    expect(written).toEqual([aChunk(1).id]);
  });

  it('returns distances for more points than a store accepts in one call', async () => {
    const { index } = await anIndex();
    const chunks = Array.from({ length: 600 }, (_, number) => aChunk(number, number + 1, number + 2));
    await index.writeThrough(chunks, { fresh: true });
    const asked = chunks.map(({ id }) => ({ id, windows: 2 }));
    const hits = await index.distancesOf(query, [...asked, aChunk(999)], everything.where.scopes);
    expect(hits.map(({ id }) => id)).toEqual(chunks.map(({ id }) => id));
    expect(hits[7]?.distance).toBeCloseTo(1 - 1 / Math.hypot(1, 8), 4);
  });

  it('is removed with all its windows', async () => {
    const { index, store, state, found } = await anIndex();
    await index.add([aChunk(1, 1, 2, 3)], { fresh: true });
    await index.settled();
    state.failing = true;
    await index.add([aChunk(2, 1, 2), aChunk(3, 1, 2)], { fresh: true });
    await index.remove([
      { id: aChunk(1).id, windows: 3 },
      { id: aChunk(2).id, windows: 2 },
    ]);
    expect([await found(), await store.count()]).toEqual([[aChunk(3).id], 0]);
    await index.stop();
  });
});

describe('what is not wanted any more once it is written', () => {
  it.each(['add', 'writeThrough'] as const)('is taken out again, with all its windows: %s', async (way) => {
    const { index, store, state, found } = await anIndex();
    state.unwanted.add(aChunk(1).id);
    await index[way]([aChunk(1, 1, 2), aChunk(2)], { fresh: true });
    await index.settled();
    expect([await found(), await store.count()]).toEqual([[aChunk(2).id], 1]);
  });
});

describe('removing', () => {
  it('removes a point wherever it is stored', async () => {
    const { index, store, state, found } = await anIndex();
    await index.add([aChunk(1)], { fresh: true });
    await index.settled();
    const gate = aGate();
    state.gate = gate.shut;
    await index.add([aChunk(2), aChunk(3)], { fresh: true });
    const removed = index.remove([aChunk(1), aChunk(2)]);
    gate.open();
    await removed;
    await index.settled();
    expect([await found(), await store.count()]).toEqual([[aChunk(3).id], 1]);
  });

  it('does not wait for a store that cannot write', async () => {
    const { index, state, found } = await anIndex();
    state.failing = true;
    await index.add([aChunk(1), aChunk(2)], { fresh: true });
    await index.remove([aChunk(1)]);
    expect(await found()).toEqual([aChunk(2).id]);
    await index.remove([]);
    await index.stop();
  });
});

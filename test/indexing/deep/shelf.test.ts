import { describe, expect, it } from 'vitest';
import { createTimeSlice } from '../../../src/concurrency/yielding.js';
import { createShelf } from '../../../src/indexing/deep/shelf.js';
import { likeness } from '../../../src/reading/model.js';

const dimensions = 256;

/** A vector of length one in whole numbers, the same for the same seed. */
function aVector(seed: number): Int8Array {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  const values = Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24 - 0.5;
  });
  const length = Math.hypot(...values);
  return Int8Array.from(values, (value) => Math.round((value / length) * 127));
}

function together(...vectors: Int8Array[]): Int8Array {
  return Int8Array.from(vectors.flatMap((vector) => [...vector]));
}

const time = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;

function aConversation(id: string, { day = 1, written = 1 } = {}) {
  return { id, at: time(day), writtenAt: time(written) };
}

const question = aVector(0);
const query = (limit: number) => ({ limit, slice: createTimeSlice() });

describe('the vectors of a scope', () => {
  it('are searched exactly, a chunk by its best part, and a longer list begins with the shorter one', async () => {
    const shelf = createShelf(100_000);
    const expected: { conversationId: string; chunkIndex: number; likeness: number }[] = [];
    let seed = 1;
    for (let number = 0; number < 900; number++) {
      const conversationId = `c${String(number).padStart(4, '0')}`;
      const parts = Array.from({ length: 6 }, () => aVector(seed++));
      // The third chunk has three parts, and there is no second one.
      const chunkIndexes = [0, 2, 2, 2, 3, 4];
      shelf.put(aConversation(conversationId), { chunkIndexes, vectors: together(...parts) });
      for (const chunkIndex of [0, 2, 3, 4]) {
        const own = parts.filter((_, place) => chunkIndexes[place] === chunkIndex);
        const best = Math.max(...own.map((part) => likeness(question, part)));
        expected.push({ conversationId, chunkIndex, likeness: best });
        expect(shelf.likenessOf(question, conversationId, chunkIndex)).toBe(best);
      }
      expect(shelf.likenessOf(question, conversationId, 1)).toBeUndefined();
    }
    expected.sort(
      (one, other) =>
        other.likeness - one.likeness ||
        (one.conversationId < other.conversationId ? -1 : 1) ||
        one.chunkIndex - other.chunkIndex,
    );
    for (const limit of [1, 30, 1_000, 10_000]) {
      expect(await shelf.nearest(question, query(limit))).toEqual(expected.slice(0, limit));
    }
    const some = ['c0003', 'c0777', 'unknown', 'c0003'];
    expect(await shelf.nearest(question, { ...query(100), conversationIds: some })).toEqual(
      expected.filter(({ conversationId }) => some.includes(conversationId)),
    );
  });

  it('keep equal vectors in one order', async () => {
    const shelf = createShelf(1_000);
    for (const id of ['b', 'c', 'a']) {
      shelf.put(aConversation(id), { chunkIndexes: [1, 2], vectors: together(aVector(7), aVector(7)) });
    }
    const all = await shelf.nearest(question, query(10));
    expect(all.map(({ conversationId, chunkIndex }) => `${conversationId}${chunkIndex}`)).toEqual(
      'a1 a2 b1 b2 c1 c2'.split(' '),
    );
    expect(await shelf.nearest(question, query(3))).toEqual(all.slice(0, 3));
  });

  it('are replaced by those of a later writing alone, and removed', async () => {
    const shelf = createShelf(1_000);
    const put = (written: number, seed: number): void =>
      shelf.put(aConversation('a', { written }), { chunkIndexes: [0], vectors: aVector(seed) });
    put(2, 1);
    put(3, 2);
    put(1, 3);
    expect(shelf.likenessOf(question, 'a', 0)).toBe(likeness(question, aVector(2)));
    expect(await shelf.nearest(question, query(10))).toHaveLength(1);
    expect(shelf.lacks({ id: 'a', at: time(1), written_at: time(3) })).toBe(false);
    expect(shelf.lacks({ id: 'a', at: time(1), written_at: time(4) })).toBe(true);
    shelf.remove('a');
    expect(await shelf.nearest(question, query(10))).toEqual([]);
    expect([shelf.size(), shelf.likenessOf(question, 'a', 0)]).toEqual([0, undefined]);
  });

  it('of the oldest conversations go when there are too many, and do not come back', async () => {
    const shelf = createShelf(10);
    for (const day of [3, 1, 5, 2, 4, 6]) {
      shelf.put(aConversation(`day ${day}`, { day }), {
        chunkIndexes: [0, 1],
        vectors: together(aVector(1), aVector(2)),
      });
    }
    const kept = new Set((await shelf.nearest(question, query(100))).map(({ conversationId }) => conversationId));
    expect([...kept].toSorted()).toEqual(['day 3', 'day 4', 'day 5', 'day 6']);
    expect(shelf.lacks({ id: 'day 1', at: time(1), written_at: time(9) })).toBe(false);
    expect(shelf.lacks({ id: 'day 7', at: time(7), written_at: time(9) })).toBe(true);
  });

  it('that are damaged are left out', async () => {
    const shelf = createShelf(100);
    shelf.put(aConversation('whole'), { chunkIndexes: [0], vectors: aVector(1) });
    shelf.put(aConversation('short'), { chunkIndexes: [0, 1], vectors: aVector(1) });
    shelf.put(aConversation('long'), { chunkIndexes: [0], vectors: new Int8Array(dimensions).fill(127) });
    const found = await shelf.nearest(new Int8Array(dimensions).fill(127), query(10));
    expect(found.map(({ conversationId }) => conversationId)).toEqual(['long', 'whole']);
    expect(await shelf.nearest(new Int8Array(3), query(10))).toEqual([]);
  });
});

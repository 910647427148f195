import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Point, VectorStore } from '../../../src/stores/vector/contract.js';
import { lancedb } from '../../../src/stores/vector/drivers/lancedb/lancedb.js';
import { memory } from '../../../src/stores/vector/drivers/memory.js';
import fc from '../../support/properties.js';

const shape = { dimension: 4, distance: 'cosine' } as const;
const where = { scopes: ['project:p'] };
const query = new Float32Array([1, 0.5, 0.2, 0.1]);

function aPoint(number: number, turn = 0): Point {
  const id = `${String(number).padStart(8, '0')}-0000-5000-8000-000000000000`;
  const vector = Float32Array.from([1, 2, 3, 4], (axis) => Math.sin(number * axis + turn));
  return { id, vector, scope: 'project:p', conversationId: id };
}

async function opened(store: VectorStore): Promise<VectorStore> {
  await store.open(shape);
  onTestFinished(() => store.close());
  return store;
}

async function aPath(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'threadkeep-copy-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const found = async (store: VectorStore, limit = 20) =>
  (await store.search(query, { limit, where })).map(({ id, distance }) => [id, distance.toFixed(4)]);

describe('a small table', () => {
  it('includes writes by other processes in a search', async () => {
    const path = await aPath();
    const [one, other, model] = await Promise.all([
      opened(lancedb.create({ settings: {}, path })),
      opened(lancedb.create({ settings: {}, path })),
      opened(memory.create()),
    ]);
    const step = fc.record({
      writer: fc.constantFrom(one, other),
      kind: fc.constantFrom('upsert', 'remove', 'maintain'),
      number: fc.nat(12),
      turn: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const { writer, kind, number, turn } of steps) {
          if (kind === 'maintain') await writer.maintain?.();
          for (const store of [writer, model]) {
            if (kind === 'upsert') await store.upsert([aPoint(number, turn)]);
            if (kind === 'remove') await store.remove([aPoint(number).id]);
          }
          const expected = await found(model);
          expect([await found(one), await found(other)]).toEqual([expected, expected]);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('answers the same when it has become a large one, and a small one again', async () => {
    const store = await opened(lancedb.create({ settings: {}, path: await aPath() }));
    const model = await opened(memory.create());
    const points = Array.from({ length: 2_050 }, (_, number) => aPoint(number));
    for (const [from, to] of [
      [0, 1_990],
      [1_990, 2_010],
      [2_010, 2_050],
    ]) {
      for (const each of [store, model]) await each.upsert(points.slice(from, to), { fresh: true });
      expect(await found(store)).toEqual(await found(model));
    }
    for (const each of [store, model]) await each.remove(points.slice(0, 100).map(({ id }) => id));
    expect(await found(store)).toEqual(await found(model));
  });
});

describe('searches that come together', () => {
  it('all see the whole table, small or large, before and after another process writes', async () => {
    const path = await aPath();
    const [one, other] = await Promise.all([
      opened(lancedb.create({ settings: {}, path })),
      opened(lancedb.create({ settings: {}, path })),
    ]);
    let stored = 0;
    for (const count of [40, 1_500, 1_500, 200]) {
      const points = Array.from({ length: count }, (_, index) => aPoint(stored + index + 1));
      await other.upsert(points, { fresh: true });
      stored += count;
      const answers = await Promise.all(Array.from({ length: 12 }, () => found(one, stored)));
      expect(answers.map((answer) => answer.length)).toEqual(Array(12).fill(stored));
    }
  });
});

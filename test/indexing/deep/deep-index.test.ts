import { describe, expect, it } from 'vitest';
import { createDeepIndex } from '../../../src/indexing/deep/deep-index.js';
import { packed } from '../../../src/indexing/deep/shelf.js';
import type { Records } from '../../../src/records/open.js';
import type { MessageVectorsRow } from '../../../src/records/store.js';
import { aService } from '../../support/service.js';

const scope = 'project:local-default';
const question = new Int8Array(256).fill(8);

const idOf = (number: number): string => `c${String(number).padStart(5, '0')}`;
const timeAt = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();

/** The vectors of the conversation with this number, which is as old as it is high, by a model. */
function aRow(number: number, { model = 'ours', writtenAt = number } = {}): MessageVectorsRow {
  const vectors = new Int8Array(256).fill((number % 17) - 8);
  return {
    id: idOf(number),
    scope,
    model,
    at: timeAt(100_000 - number),
    chunk_count: 1,
    vector_count: 1,
    vectors: packed({ chunkIndexes: [0], vectors }),
    written_at: timeAt(writtenAt),
  };
}

async function write(records: Records, rows: readonly MessageVectorsRow[]): Promise<void> {
  await records.write(rows.map((row) => ({ kind: 'put', table: 'message_vectors', row })));
}

async function aStore(count: number): Promise<Records> {
  const { service } = await aService();
  await write(
    service.records,
    Array.from({ length: count }, (_, number) => aRow(number)),
  );
  return service.records;
}

describe('the deep index', () => {
  it('reads all of a scope, then what any process wrote since, of its own model alone', async () => {
    const records = await aStore(1_200);
    const index = createDeepIndex(records, 'ours');
    const found = async (scopes = [scope]): Promise<string[]> => {
      await index.ready(scopes);
      const near = await index.nearest(question, { scopes, limit: 10_000 });
      return near.map(({ conversationId }) => conversationId).toSorted();
    };
    const numbers = (count: number): string[] => Array.from({ length: count }, (_, number) => idOf(number));
    expect(await found()).toEqual(numbers(1_200));
    const later = Array.from({ length: 1_100 }, (_, place) => aRow(1_200 + place));
    await write(records, [...later, aRow(9_999, { model: 'another' })]);
    expect(await found()).toEqual(numbers(2_300));
    // A clock that is a little behind, and a conversation that went on.
    await write(records, [
      aRow(2_300, { writtenAt: 2_295 }),
      { ...aRow(7, { writtenAt: 2_301 }), vectors: aRow(16).vectors },
    ]);
    expect(await found()).toEqual(numbers(2_301));
    expect(await found(['project:else'])).toEqual([]);
    const [best] = await index.nearest(question, { scopes: [scope], conversationIds: [idOf(7)], limit: 1 });
    expect(best?.likeness).toBeCloseTo((256 * 64) / 127 ** 2, 10);
  });

  it('keeps the newest conversations of a large scope', async () => {
    const index = createDeepIndex(await aStore(1_200), 'ours', { most: 400 });
    for (const _ of ['first', 'again']) {
      await index.ready([scope]);
      const near = await index.nearest(question, { scopes: [scope], limit: 10_000 });
      const kept = near.map(({ conversationId }) => conversationId).toSorted();
      expect(kept.length).toBeGreaterThan(350);
      expect(kept.length).toBeLessThanOrEqual(400);
      expect(kept).toEqual(Array.from({ length: kept.length }, (_, number) => idOf(number)));
    }
  });

  it('does not bring back what is forgotten while it is read', async () => {
    const index = createDeepIndex(await aStore(300), 'ours');
    const ready = index.ready([scope]);
    index.remove(idOf(299));
    await ready;
    expect(await index.nearest(question, { scopes: [scope], limit: 1_000 })).toHaveLength(299);
  });
});

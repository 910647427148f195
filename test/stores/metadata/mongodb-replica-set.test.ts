import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MetadataStore, type Table, WriteConflict } from '../../../src/stores/metadata/contract.js';
import { mongodb } from '../../../src/stores/metadata/drivers/mongodb/mongodb.js';
import { describeMetadataStore } from '../../conformance/metadata-store.js';
import { startReplicaSet } from '../../fakes/mongodb-replica-set.js';

let replicaSet: Awaited<ReturnType<typeof startReplicaSet>>;
const places = new WeakMap<MetadataStore, string>();

beforeAll(async () => {
  replicaSet = await startReplicaSet();
});
afterAll(async () => {
  await replicaSet.stop();
  expect(replicaSet.complaints).toEqual([]);
});

async function openAt(database: string, tables: readonly Table[]) {
  const settings = { uri: replicaSet.url, database, conversationsCollection: 'conversations' };
  const store = mongodb.create({ settings, path: '' });
  places.set(store, database);
  const { schemaVersion } = await store.open(tables);
  return { store, schemaVersion };
}

describeMetadataStore('mongodb, a replica set', {
  open: async (tables) => (await openAt(`t${randomUUID()}`, tables)).store,
  async reopen(store, tables) {
    await store.close();
    return openAt(places.get(store) ?? '', tables);
  },
});

describe('a write to a replica set', () => {
  const notes: Table = { name: 'notes', columns: { text: { type: 'text' } } };
  const put = (id: string, text: string) => ({ kind: 'put', table: 'notes', row: { id, text } }) as const;

  it('is one transaction, aborted when it is refused and begun again when it lost to another', async () => {
    const { store } = await openAt(`t${randomUUID()}`, [notes]);
    const before = { ...replicaSet.counts };
    await store.write([put('a', 'one'), put('b', 'two')]);
    expect(replicaSet.counts.committed).toBe(before.committed + 1);
    const twin = { kind: 'insert', table: 'notes', row: { id: 'a', text: 'x' } } as const;
    await expect(store.write([put('c', 'three'), twin])).rejects.toBeInstanceOf(WriteConflict);
    expect(replicaSet.counts.committed).toBe(before.committed + 1);
    expect(await store.count('notes')).toBe(2);

    const refused = replicaSet.counts.refused;
    await Promise.all(Array.from({ length: 8 }, (_, writer) => store.write([put('shared', `${writer}`)])));
    expect(replicaSet.counts.committed).toBe(before.committed + 9);
    expect(replicaSet.counts.refused).toBeGreaterThan(refused);
    expect(replicaSet.open()).toBe(0);
    await store.close();
  });
});

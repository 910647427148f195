import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/model/errors.js';
import type { MetadataStore, Table } from '../../../src/stores/metadata/contract.js';
import { openMongoClient } from '../../../src/stores/metadata/drivers/mongodb/documents.js';
import { mongodb } from '../../../src/stores/metadata/drivers/mongodb/mongodb.js';
import { describeMetadataStore } from '../../conformance/metadata-store.js';

/** A server that speaks MongoDB's protocol (scripts/services/mongodb.sh); without one nothing is tried. */
const uri = process.env.REAL_MONGODB_URL ?? '';
const onServer = describe.skipIf(uri === '');
const notes: Table = { name: 'notes', columns: { text: { type: 'text' } }, terms: 'terms' };
const places = new WeakMap<MetadataStore, string>();

onServer('with a server', () => {
  describeMetadataStore('mongodb', {
    open: async (tables) => (await openAt(aDatabase(), tables)).store,
    async reopen(store, tables) {
      const database = places.get(store) ?? '';
      await store.close();
      return openAt(database, tables);
    },
    skip: [
      {
        reason: 'FerretDB, like a single mongod, keeps no earlier state; a replica set has snapshots',
        cases: ['stays as it was while rows are added, changed and removed'],
      },
    ],
  });

  describe('mongodb', () => {
    it('leaves a newer schema alone and says its version', async () => {
      const database = aDatabase();
      await (await openAt(database, [notes])).store.close();
      await inPlace(database, (db) =>
        db
          .collection<{ _id: string }>('threadkeep_schema')
          .updateMany({ _id: 'metadata' }, { $set: { version: 7 } }, {}),
      );
      const { store, schemaVersion } = await openAt(database, [notes]);
      expect(schemaVersion).toBe(7);
      await expect(store.find('notes')).rejects.toThrow('not open');
      await store.close();
    });

    it('refuses collections of another program', async () => {
      const database = aDatabase();
      await inPlace(database, (db) => db.collection<{ _id: string }>('notes').insertMany([{ _id: 'theirs' }], {}));
      const store = create(database);
      await expect(store.open([notes])).rejects.toBeInstanceOf(StartupError);
      await store.close();
    });

    it('creates nothing when it may only read, and says that nothing is there', async () => {
      const store = create(aDatabase(), { readOnly: true });
      expect(await store.open([notes])).toEqual({ schemaVersion: 0 });
      await store.close();
    });

    it('keeps conversations in the collection that the settings name', async () => {
      const database = aDatabase();
      const { store } = await openAt(database, [{ ...notes, name: 'conversations' }]);
      await store.write([{ kind: 'insert', table: 'conversations', row: { id: 'a', text: 'x' } }]);
      await inPlace(database, async (db) => {
        expect(await db.collection('talks').countDocuments({}, {})).toBe(1);
      });
      await store.close();
    });
  });
});

function aDatabase(): string {
  return `t${randomUUID().replaceAll('-', '')}`;
}

function create(database: string, options: { readOnly?: boolean } = {}): MetadataStore {
  return mongodb.create({ settings: { uri, database, conversationsCollection: 'talks' }, path: '', ...options });
}

async function openAt(database: string, tables: readonly Table[]) {
  const store = create(database);
  places.set(store, database);
  const { schemaVersion } = await store.open(tables);
  return { store, schemaVersion };
}

async function inPlace(
  name: string,
  work: (database: ReturnType<Awaited<ReturnType<typeof openMongoClient>>['db']>) => Promise<unknown>,
): Promise<void> {
  const client = await openMongoClient(uri);
  await work(client.db(name));
  await client.close();
}

import { createSerialQueue } from '../../../../concurrency/serial-queue.js';
import type { MetadataStore, Table } from '../../contract.js';
import type { MetadataDriver, MetadataPlace } from '../../driver.js';
import { type Client, mongodbNeeds, openMongoClient } from './client.js';
import { plainReads, type Source } from './find.js';
import { CURRENT_SCHEMA_VERSION, inspectSchema, type Place, prepareSchema } from './schema.js';
import { searchTerms } from './search.js';
import type { Places } from './steps.js';
import { runOrUndo } from './undo.js';
import { runSteps, stepsOf } from './writes.js';

/** Metadata in MongoDB: a collection for each table, and transactions where the deployment has them. */
export const mongodb = {
  name: 'mongodb',
  remote: true,
  needs: mongodbNeeds,
  create: createMongodb,
} as const satisfies MetadataDriver;

type Settings = { uri: string; database: string; conversations_collection: string };

interface Opened {
  client: Client;
  places: Places;
  /** A replica set or a sharded cluster: only there several documents change as one. */
  hasTransactions: boolean;
}

function createMongodb({ settings, readOnly = false }: MetadataPlace): MetadataStore {
  const { uri, database: name, conversations_collection: conversations } = settings as Settings;
  const definitions = new Map<string, Table>();
  let client: Client | undefined;
  let open: Opened | undefined;
  let closing: Promise<void> | undefined;
  /** Without transactions one write follows the other: each may have to be undone. */
  const alone = createSerialQueue();
  const underWay = new Set<Promise<unknown>>();

  return {
    async open(tables) {
      if (client !== undefined || closing !== undefined) throw new Error('a metadata store can be opened only once');
      for (const table of tables) definitions.set(table.name, table);
      client = await openMongoClient(uri);
      const database = client.db(name);
      const collectionName = (table: string): string => (table === 'conversations' ? conversations : table);
      const place: Place = { database, collectionName };
      const schemaVersion = await (readOnly ? inspectSchema : prepareSchema)(place, tables);
      if (schemaVersion !== CURRENT_SCHEMA_VERSION) return { schemaVersion };
      const hello = await database.command({ hello: 1 });
      const places = {
        rows: (table: string) => database.collection(collectionName(table)),
        terms: (table: string) => database.collection(`${collectionName(table)}_terms`),
      };
      open = { client, places, hasTransactions: hello.setName !== undefined || hello.msg === 'isdbgrid' };
      return { schemaVersion };
    },

    async write(changes) {
      const { hasTransactions } = opened();
      if (readOnly) throw new Error('the metadata store was opened for reading only');
      const steps = stepsOf(definitions, changes);
      if (steps.length === 0) return;
      const work = hasTransactions ? inTransaction(steps) : alone(() => runOrUndo(steps, opened(true).places));
      const settled = work.finally(() => underWay.delete(settled));
      underWay.add(settled);
      await settled;
    },

    ...plainReads(source, {}),

    async searchText(table, query) {
      return searchTerms({ ...source(table), terms: opened().places.terms(table) }, query);
    },

    async snapshot() {
      const { client: connected, hasTransactions } = opened();
      // A server alone keeps no earlier state: what is read is what is there by then.
      if (!hasTransactions) return { ...plainReads(source, {}), close: async () => {} };
      const session = connected.startSession({ snapshot: true });
      // What a session sees is settled by its first question.
      const view = plainReads(source, { session });
      await view.count([...definitions.keys()][0] ?? '');
      return { ...view, close: () => session.endSession() };
    },

    close() {
      closing ??= shutDown();
      return closing;
    },
  };

  /** `late`: also while it closes, for what was accepted before. */
  function opened(late = false): Opened {
    if (closing !== undefined && !late) throw new Error('the metadata store is closed');
    if (open === undefined) throw new Error('the metadata store is not open');
    return open;
  }

  function source(name: string): ReturnType<Source> {
    const { places } = opened();
    const table = definitions.get(name);
    if (table === undefined) throw new Error(`there is no table ${name}`);
    return { table, rows: places.rows(name) };
  }

  async function inTransaction(steps: ReturnType<typeof stepsOf>): Promise<void> {
    const { client: connected, places } = opened();
    const session = connected.startSession();
    await session.withTransaction(() => runSteps(steps, places, { session })).finally(() => session.endSession());
  }

  async function shutDown(): Promise<void> {
    await Promise.allSettled(underWay);
    await client?.close();
  }
}

import type * as Mongo from 'mongodb';
import { createSerialQueue } from '../../../../concurrency/locks.js';
import type { MetadataDriver, MetadataPlace, MetadataStore, OpenedMetadata, Query, Table } from '../../contract.js';
import { columnOf } from '../../shared/sql/dialect.js';
import {
  afterFilter,
  type Collection,
  type Document,
  filterOf,
  type InSession,
  mongodbNeeds,
  nameOf,
  openMongoClient,
  refuseJson,
  rowOf,
} from './documents.js';
import { CURRENT_SCHEMA_VERSION, inspectSchema, type Namespace, prepareSchema } from './schema.js';
import { searchTerms } from './search.js';
import { type Collections, runOrUndo, runSteps, stepsOf } from './writes.js';

/** Metadata in MongoDB: one collection per table, with transactions where the deployment supports them. */
export const mongodb = {
  name: 'mongodb',
  remote: true,
  needs: mongodbNeeds,
  create: createMongodb,
} as const satisfies MetadataDriver<Settings>;

type Settings = { uri: string; database: string; conversationsCollection: string };

interface Opened {
  client: Mongo.MongoClient;
  places: Collections;
  /** A replica set or a sharded cluster: only these have multi-document transactions. */
  hasTransactions: boolean;
}

function createMongodb({ settings, readOnly = false, upgrade = true }: MetadataPlace<Settings>): MetadataStore {
  const { uri, database: name, conversationsCollection: conversations } = settings;
  const definitions = new Map<string, Table>();
  let client: Mongo.MongoClient | undefined;
  let open: Opened | undefined;
  let closing: Promise<void> | undefined;
  let isOlder = false;
  /** Without transactions, writes are serialised, because each may have to be undone. */
  const alone = createSerialQueue();
  const underWay = new Set<Promise<unknown>>();

  return {
    async open(tables) {
      if (client !== undefined || closing !== undefined) throw new Error('a metadata store can be opened only once');
      client = await openMongoClient(uri);
      const database = client.db(name);
      const collectionName = (table: string): string => (table === 'conversations' ? conversations : table);
      const place: Namespace = { database, collectionName };
      const opening: OpenedMetadata = readOnly
        ? { schemaVersion: await inspectSchema(place, tables) }
        : await prepareSchema(place, tables, { upgrade });
      for (const table of opening.older ?? tables) definitions.set(table.name, table);
      if (opening.schemaVersion !== CURRENT_SCHEMA_VERSION) return opening;
      isOlder = opening.older !== undefined;
      const hello = await database.command({ hello: 1 });
      const places = {
        rows: (table: string) => database.collection<Document>(collectionName(table)),
        terms: (table: string) => database.collection<Document>(`${collectionName(table)}_terms`),
      };
      open = { client, places, hasTransactions: hello.setName !== undefined || hello.msg === 'isdbgrid' };
      return opening;
    },

    async write(changes) {
      const { hasTransactions } = opened();
      if (readOnly || isOlder) throw new Error('the metadata store was opened for reading only');
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
      // A standalone server has no snapshots: reads see the current state.
      if (!hasTransactions) return { ...plainReads(source, {}), close: async () => {} };
      const session = connected.startSession({ snapshot: true });
      // The first query of a session fixes its snapshot.
      const view = plainReads(source, { session });
      await view.count([...definitions.keys()][0] ?? '');
      return { ...view, close: () => session.endSession() };
    },

    close() {
      closing ??= shutDown();
      return closing;
    },
  };

  /** `late`: also allowed while closing, for work accepted before. */
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

/** Looks up a table and its collection; throws for an unknown name or when the store is not open. */
type Source = (name: string) => { table: Table; rows: Collection };

/** The plain reads, inside or outside a session. */
function plainReads(source: Source, options: InSession): Pick<MetadataStore, 'find' | 'count'> {
  return {
    async find(name, query = {}) {
      const { table, rows } = source(name);
      const fields = [...new Set(['id', ...(query.fields ?? Object.keys(table.columns))])];
      const projection = Object.fromEntries(fields.map((field) => [fieldOf(table, field), 1]));
      const documents = await ordered(table, query, (filter, sort, limit) => {
        const cursor = rows.find(filter, { ...options, projection }).sort(sort);
        return (limit === undefined ? cursor : cursor.limit(limit)).toArray();
      });
      return documents.map((document) => rowOf(table, document, fields));
    },

    async count(name, where = []) {
      const { table, rows } = source(name);
      return rows.countDocuments(filterOf(table, where), options);
    },
  };
}

type Ask = (filter: object, sort: Record<string, 1 | -1>, limit: number | undefined) => Promise<Document[]>;

/** Rows without the ordering field come last in both directions; the server would put them first in one of them. */
async function ordered(table: Table, query: Query, ask: Ask): Promise<Document[]> {
  const { limit, where = [], order } = query;
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0)) {
    throw new Error('a limit must be a whole number of at least 0');
  }
  const by = order?.by ?? 'id';
  refuseJson(table, by);
  const direction = order?.direction === 'desc' ? -1 : 1;
  const filter = { $and: [filterOf(table, where), afterFilter(table, query)] };
  const byId = { _id: direction } as const;
  // MongoDB treats a limit of 0 as no limit.
  if (limit === 0) return [];
  if (by === 'id') return ask(filter, byId, limit);
  const sort = { [nameOf(by)]: direction, ...byId } as const;
  if (columnOf(table, by).optional !== true) return ask(filter, sort, limit);
  const present = await ask({ ...filter, [by]: { $exists: true } }, sort, limit);
  const left = limit === undefined ? undefined : limit - present.length;
  const absent = left === 0 ? [] : await ask({ ...filter, [by]: { $exists: false } }, byId, left);
  return [...present, ...absent];
}

function fieldOf(table: Table, field: string): string {
  columnOf(table, field);
  return nameOf(field);
}

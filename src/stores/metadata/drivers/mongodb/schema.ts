import type * as Mongo from 'mongodb';
import { StartupError } from '../../../../model/errors.js';
import type { OpenedMetadata, Table } from '../../contract.js';
import { type Document, uniqueField } from './documents.js';

/** The collections of MongoDB with their indexes. */

export const CURRENT_SCHEMA_VERSION = 1;

/** Holds one document with the schema version, which shows that the other collections are ours. */
const VERSION_COLLECTION = 'threadkeep_schema';

export interface Namespace {
  database: Mongo.Db;
  /** The collection of a table; the settings name that of `conversations`. */
  collectionName(table: string): string;
}

/**
 * Creates what is missing; several processes may do so at once. A newer version is not changed, nor, without `upgrade`,
 * an older one that holds data.
 */
export async function prepareSchema(
  { database, collectionName }: Namespace,
  tables: readonly Table[],
  { upgrade }: { upgrade: boolean },
): Promise<OpenedMetadata> {
  const found = await inspectSchema({ database, collectionName }, tables);
  if (found > CURRENT_SCHEMA_VERSION) return { schemaVersion: found };
  const names = await collectionNames(database);
  const needed = tables.flatMap((table) => neededBy(table, collectionName(table.name)));
  const missing = await withoutPresent(database, needed, names);
  if (found !== 0 && missing.length > 0 && !upgrade) {
    const older = tables.filter(({ name }) => names.has(collectionName(name)));
    if (await holdRows({ database, collectionName }, older)) return { schemaVersion: found, older };
  }
  const upsert = { filter: { _id: 'metadata' }, update: { $set: { version: CURRENT_SCHEMA_VERSION } }, upsert: true };
  await database.collection<Document>(VERSION_COLLECTION).bulkWrite([{ updateOne: upsert }], { ordered: true });
  for (const { collection, indexes } of missing) {
    // A transaction must not implicitly create a collection.
    if (!names.has(collection)) await createCollection(database, collection);
    for (const { keys, options } of indexes) await database.collection(collection).createIndex(keys, options);
  }
  return { schemaVersion: CURRENT_SCHEMA_VERSION };
}

async function holdRows({ database, collectionName }: Namespace, tables: readonly Table[]): Promise<boolean> {
  for (const { name } of tables) {
    const first = database.collection(collectionName(name)).find({}, { projection: { _id: 1 } });
    if ((await first.limit(1).toArray()).length > 0) return true;
  }
  return false;
}

/** Reads the version without changing anything; 0 when there is no database of ours. */
export async function inspectSchema(
  { database, collectionName }: Namespace,
  tables: readonly Table[],
): Promise<number> {
  const names = await collectionNames(database);
  if (names.has(VERSION_COLLECTION)) {
    const [found] = await database.collection<Document>(VERSION_COLLECTION).find({ _id: 'metadata' }, {}).toArray();
    if (found !== undefined) return Number(found.version);
  }
  const taken = tables.find(({ name }) => names.has(collectionName(name)));
  if (taken === undefined || names.has(VERSION_COLLECTION)) return 0;
  throw new StartupError(
    'schema_version_unsupported',
    `The database has a collection ${collectionName(taken.name)} that was created by another program.`,
    { hint: 'Set another database in storage.metadata_providers.mongodb.database.' },
  );
}

interface Needed {
  collection: string;
  indexes: { keys: Record<string, 1>; options: Mongo.CreateIndexesOptions & { name: string } }[];
}

/** The collections of a table with their indexes. */
function neededBy(table: Table, collection: string): Needed[] {
  const unique = (table.unique ?? []).flatMap((fields, position) => [
    {
      keys: { [uniqueField(position)]: 1 as const },
      options: { name: ['unique', ...fields].join('_'), unique: true, sparse: true },
    },
    { keys: keysOf(fields), options: { name: ['by', ...fields].join('_') } },
  ]);
  const plain = (table.indexes ?? []).map((fields) => ({
    keys: keysOf([...fields, '_id']),
    options: { name: ['by', ...fields, 'id'].join('_') },
  }));
  const rows = { collection, indexes: [...unique, ...plain] };
  if (table.terms === undefined) return [rows];
  const words = { keys: { words: 1 as const }, options: { name: 'by_words' } };
  return [rows, { collection: `${collection}_terms`, indexes: [words] }];
}

/** What is left to create: collections, and indexes of those that are there. */
async function withoutPresent(
  database: Mongo.Db,
  needed: readonly Needed[],
  names: ReadonlySet<string>,
): Promise<Needed[]> {
  const missing: Needed[] = [];
  for (const each of needed) {
    if (!names.has(each.collection)) {
      missing.push(each);
      continue;
    }
    const present = new Set((await database.collection(each.collection).listIndexes().toArray()).map(nameIn));
    const indexes = each.indexes.filter(({ options }) => !present.has(options.name));
    if (indexes.length > 0) missing.push({ ...each, indexes });
  }
  return missing;
}

function nameIn({ name }: { name: string }): string {
  return name;
}

function keysOf(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field === 'id' ? '_id' : field, 1 as const]));
}

async function createCollection(database: Mongo.Db, name: string): Promise<void> {
  const NAMESPACE_EXISTS = 48;
  await database.createCollection(name).catch((error: { code?: number }) => {
    // Another process has created it meanwhile.
    if (error.code !== NAMESPACE_EXISTS) throw error;
  });
}

async function collectionNames(database: Mongo.Db): Promise<Set<string>> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return new Set(found.map(({ name }) => name));
}

import { StartupError } from '../../../../model/errors.js';
import type { Table } from '../../contract.js';
import type { Database } from './client.js';
import { uniqueField } from './documents.js';

export const CURRENT_SCHEMA_VERSION = 1;

/** Holds one document, the schema version: how we know that the other collections are ours. */
const VERSION_COLLECTION = 'threadkeep_schema';

export interface Place {
  database: Database;
  /** The collection of a table; `conversations` has a name of its own in the settings. */
  collectionName(table: string): string;
}

/** Creates what is missing; several processes may do so at once. Answers the version found, and leaves a newer one alone. */
export async function prepareSchema({ database, collectionName }: Place, tables: readonly Table[]): Promise<number> {
  const found = await inspectSchema({ database, collectionName }, tables);
  if (found > CURRENT_SCHEMA_VERSION) return found;
  const upsert = { filter: { _id: 'metadata' }, update: { $set: { version: CURRENT_SCHEMA_VERSION } }, upsert: true };
  await database.collection(VERSION_COLLECTION).bulkWrite([{ updateOne: upsert }], { ordered: true });
  const names = await collectionNames(database);
  for (const table of tables) {
    const name = collectionName(table.name);
    // A transaction must not be the first to name a collection.
    for (const missing of [name, `${name}_terms`].filter((each) => !names.has(each))) {
      if (missing === name || table.terms !== undefined) await createCollection(database, missing);
    }
    await createIndexes({ database, collectionName }, table);
  }
  return CURRENT_SCHEMA_VERSION;
}

/** Without changing anything; 0 when nothing of ours is there. */
export async function inspectSchema({ database, collectionName }: Place, tables: readonly Table[]): Promise<number> {
  const names = await collectionNames(database);
  if (names.has(VERSION_COLLECTION)) {
    const [found] = await database.collection(VERSION_COLLECTION).find({ _id: 'metadata' }, {}).toArray();
    if (found !== undefined) return Number(found.version);
  }
  const taken = tables.find(({ name }) => names.has(collectionName(name)));
  if (taken === undefined || names.has(VERSION_COLLECTION)) return 0;
  throw new StartupError(
    'schema_version_unsupported',
    `The database has a collection ${collectionName(taken.name)} that was made by another program.`,
    { hint: 'Name another one in storage.metadata_providers.mongodb.database.' },
  );
}

async function createIndexes({ database, collectionName }: Place, table: Table): Promise<void> {
  const collection = database.collection(collectionName(table.name));
  for (const [position, fields] of (table.unique ?? []).entries()) {
    const name = ['unique', ...fields].join('_');
    await collection.createIndex({ [uniqueField(position)]: 1 }, { name, unique: true, sparse: true });
    await collection.createIndex(keysOf(fields), { name: ['by', ...fields].join('_') });
  }
  for (const fields of table.indexes ?? []) {
    await collection.createIndex(keysOf([...fields, '_id']), { name: ['by', ...fields, 'id'].join('_') });
  }
  if (table.terms === undefined) return;
  await database.collection(`${collectionName(table.name)}_terms`).createIndex({ words: 1 }, { name: 'by_words' });
}

function keysOf(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field === 'id' ? '_id' : field, 1 as const]));
}

async function createCollection(database: Database, name: string): Promise<void> {
  const NAMESPACE_EXISTS = 48;
  await database.createCollection(name).catch((error: { code?: number }) => {
    // Another process created it in the meantime.
    if (error.code !== NAMESPACE_EXISTS) throw error;
  });
}

async function collectionNames(database: Database): Promise<Set<string>> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return new Set(found.map(({ name }) => name));
}

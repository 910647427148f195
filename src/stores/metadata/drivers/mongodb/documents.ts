import { StartupError } from '../../../../model/errors.js';
import { storableText } from '../../../../model/text.js';
import { loadPackage } from '../../../shared/load-package.js';
import type { Condition, OpenedMetadata, Query, Row, Table, Value } from '../../contract.js';
import { columnOf, encode } from '../../shared/sql/dialect.js';

/** MongoDB storage: the client, rows as documents, and the collections with their indexes. */

/**
 * A row as a document: the id becomes `_id`, json is stored as text as in the SQL stores (a document would change its
 * numbers, keys and order), strings of a json array are repeated in a field that can be queried, and each complete
 * unique key becomes one value.
 */
export function documentOf(table: Table, row: Row): Document {
  for (const field of Object.keys(row)) if (field !== table.terms) columnOf(table, field);
  if (typeof row.id !== 'string' || row.id === '') throw new Error(`a row of table ${table.name} needs an id`);
  const document: Document = { _id: storableText(row.id) };
  for (const [field, { optional }] of Object.entries(table.columns)) {
    if (row[field] === undefined && !optional) throw new Error(`field ${field} of table ${table.name} is missing`);
    Object.assign(document, stored(table, field, row[field]));
  }
  return { ...document, ...uniqueValues(table, document) };
}

/** The document fields that store one field of a row; undefined ones are to be removed. */
export function stored(table: Table, field: string, value: Value | undefined): Record<string, unknown> {
  const { type } = columnOf(table, field);
  const cell = encode(table, field, value);
  if (type === 'boolean') return { [field]: value };
  if (type !== 'json') return { [field]: cell ?? undefined };
  const items = Array.isArray(value) ? value.filter((item) => typeof item === 'string').map(storableText) : [];
  return { [field]: cell ?? undefined, [itemsOf(field)]: items.length === 0 ? undefined : items };
}

/** One field per unique key, absent while any part of the key is: a sparse index ignores it then. */
export function uniqueValues(table: Table, document: Document): Record<string, unknown> {
  const keys = (table.unique ?? []).map((fields, position) => {
    const parts = fields.map((field) => document[field]);
    return [uniqueField(position), parts.includes(undefined) ? undefined : JSON.stringify(parts)];
  });
  return Object.fromEntries(keys);
}

export function uniqueField(position: number): string {
  return `_unique${position}`;
}

export function rowOf(table: Table, document: Document, fields: readonly string[]): Row {
  const row: Row = { id: document._id };
  for (const field of fields) {
    const value = field === 'id' ? undefined : document[field];
    if (value === undefined || value === null) continue;
    row[field] = columnOf(table, field).type === 'json' ? (JSON.parse(String(value)) as Value) : (value as Value);
  }
  return row;
}

export function filterOf(table: Table, where: readonly Condition[]): Record<string, unknown> {
  const all = where.map((condition) => conditionOf(table, condition));
  return all.length === 0 ? {} : { $and: all };
}

/** Matches the documents after the last one of a page. */
export function afterFilter(table: Table, { order, after }: Query): Record<string, unknown> {
  if (after === undefined) return {};
  const beyond = order?.direction === 'desc' ? '$lt' : '$gt';
  const by = order?.by ?? 'id';
  const id = storableText(after.id);
  if (by === 'id') return { _id: { [beyond]: id } };
  if (columnOf(table, by).optional) throw new Error(`table ${table.name} cannot be paged by its optional field ${by}`);
  const value = encode(table, by, after.value);
  return { $or: [{ [by]: { [beyond]: value } }, { [by]: value, _id: { [beyond]: id } }] };
}

export function nameOf(field: string): string {
  return field === 'id' ? '_id' : field;
}

function itemsOf(field: string): string {
  return `_items_${field}`;
}

/** Json is stored as text, in which equal values may be written differently. */
export function refuseJson(table: Table, field: string): void {
  if (columnOf(table, field).type !== 'json') return;
  throw new Error(`field ${field} of table ${table.name} is json and cannot be compared or ordered`);
}

function conditionOf(table: Table, condition: Condition): Record<string, unknown> {
  if (condition.is === 'either') {
    const lists = condition.of.map((list) => filterOf(table, list));
    // MongoDB rejects an empty `$or`; every document has an id, so this matches none.
    return lists.length === 0 ? { _id: { $exists: false } } : { $or: lists };
  }
  const { field } = condition;
  const { type } = columnOf(table, field);
  const name = nameOf(field);
  const plain = (value: Value): unknown => (type === 'boolean' ? value : encode(table, field, value));
  switch (condition.is) {
    case 'eq':
    case 'gte':
    case 'lte':
      refuseJson(table, field);
      return { [name]: { [`$${condition.is}`]: plain(condition.value) } };
    case 'in':
      refuseJson(table, field);
      return { [name]: { $in: [...new Set(condition.value.map(plain))] } };
    case 'absent':
      return { [name]: { $exists: false } };
    case 'has':
      if (type !== 'json') throw new Error(`field ${field} of table ${table.name} is not json`);
      return { [itemsOf(field)]: storableText(condition.value) };
    default:
      return condition satisfies never;
  }
}

/**
 * The parts of the official client that this driver uses, declared here so that the source builds without the package.
 */
export const mongodbNeeds = { package: 'mongodb', range: '7.8.0' };

export type Document = { _id: string } & { [field: string]: unknown };

interface Cursor<Item> {
  sort(order: Record<string, 1 | -1>): Cursor<Item>;
  limit(count: number): Cursor<Item>;
  toArray(): Promise<Item[]>;
}

/** Absent outside a transaction or a snapshot. */
export interface InSession {
  session?: Session;
}

interface Session {
  withTransaction<Result>(work: () => Promise<Result>): Promise<Result>;
  endSession(): Promise<void>;
}

export interface Collection {
  find(filter: object, options: InSession & { projection?: object }): Cursor<Document>;
  countDocuments(filter: object, options: InSession): Promise<number>;
  aggregate<Item>(pipeline: object[], options: InSession): Cursor<Item>;
  insertMany(documents: readonly Document[], options: InSession): Promise<unknown>;
  bulkWrite(operations: object[], options: InSession & { ordered: boolean }): Promise<unknown>;
  updateMany(filter: object, update: object, options: InSession): Promise<unknown>;
  deleteMany(filter: object, options: InSession): Promise<unknown>;
  createIndex(keys: Record<string, 1>, options: object): Promise<unknown>;
  listIndexes(): { toArray(): Promise<{ name: string }[]> };
}

interface Database {
  command(command: object): Promise<Record<string, unknown>>;
  collection(name: string): Collection;
  listCollections(filter: object, options: object): Cursor<{ name: string }>;
  createCollection(name: string): Promise<unknown>;
}

export interface Client {
  db(name: string): Database;
  startSession(options?: object): Session;
  close(): Promise<void>;
}

interface Library {
  MongoClient: new (uri: string, options: object) => Client;
}

export async function openMongoClient(uri: string): Promise<Client> {
  const { MongoClient } = await loadPackage<Library>(mongodbNeeds);
  return new MongoClient(uri, {
    appName: 'threadkeep',
    serverSelectionTimeoutMS: 10_000,
    // Acknowledged writes are on disk on a majority of members, and reads cannot be rolled back.
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
  });
}

export const CURRENT_SCHEMA_VERSION = 1;

/** Holds one document with the schema version, which shows that the other collections are ours. */
const VERSION_COLLECTION = 'threadkeep_schema';

export interface Place {
  database: Database;
  /** The collection of a table; the settings name that of `conversations`. */
  collectionName(table: string): string;
}

/**
 * Creates what is missing; several processes may do so at once. A newer version is not changed, nor, without `upgrade`,
 * an older one that holds data.
 */
export async function prepareSchema(
  { database, collectionName }: Place,
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
  await database.collection(VERSION_COLLECTION).bulkWrite([{ updateOne: upsert }], { ordered: true });
  for (const { collection, indexes } of missing) {
    // A transaction must not implicitly create a collection.
    if (!names.has(collection)) await createCollection(database, collection);
    for (const { keys, options } of indexes) await database.collection(collection).createIndex(keys, options);
  }
  return { schemaVersion: CURRENT_SCHEMA_VERSION };
}

async function holdRows({ database, collectionName }: Place, tables: readonly Table[]): Promise<boolean> {
  for (const { name } of tables) {
    const first = database.collection(collectionName(name)).find({}, { projection: { _id: 1 } });
    if ((await first.limit(1).toArray()).length > 0) return true;
  }
  return false;
}

/** Reads the version without changing anything; 0 when there is no database of ours. */
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
    `The database has a collection ${collectionName(taken.name)} that was created by another program.`,
    { hint: 'Set another database in storage.metadata_providers.mongodb.database.' },
  );
}

interface Needed {
  collection: string;
  indexes: { keys: Record<string, 1>; options: { name: string; unique?: true; sparse?: true } }[];
}

/** The collections of a table with their indexes. */
function neededBy(table: Table, collection: string): Needed[] {
  const unique = (table.unique ?? []).flatMap((fields, position) => [
    {
      keys: { [uniqueField(position)]: 1 as const },
      options: { name: ['unique', ...fields].join('_'), unique: true as const, sparse: true as const },
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
  database: Database,
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

async function createCollection(database: Database, name: string): Promise<void> {
  const NAMESPACE_EXISTS = 48;
  await database.createCollection(name).catch((error: { code?: number }) => {
    // Another process has created it meanwhile.
    if (error.code !== NAMESPACE_EXISTS) throw error;
  });
}

async function collectionNames(database: Database): Promise<Set<string>> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return new Set(found.map(({ name }) => name));
}

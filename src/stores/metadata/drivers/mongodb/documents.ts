import type * as Mongo from 'mongodb';
import { storableText } from '../../../../model/text.js';
import { loadPackage } from '../../../shared/load-package.js';
import type { Condition, Query, Row, Table, Value } from '../../contract.js';
import { columnOf, encode } from '../../shared/sql/dialect.js';

/** MongoDB storage: the client, and rows as documents. */

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

export const mongodbNeeds = { package: 'mongodb', range: '7.8.0' };

export type Document = { _id: string } & { [field: string]: unknown };

export type Collection = Mongo.Collection<Document>;

/** Absent outside a transaction or a snapshot. */
export interface InSession {
  session?: Mongo.ClientSession;
}

export async function openMongoClient(uri: string): Promise<Mongo.MongoClient> {
  const { MongoClient } = await loadPackage<typeof Mongo>(mongodbNeeds);
  return new MongoClient(uri, {
    appName: 'threadkeep',
    serverSelectionTimeoutMS: 10_000,
    // Acknowledged writes are on disk on a majority of members, and reads cannot be rolled back.
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
  });
}

import type { AnyBulkWriteOperation, UpdateFilter } from 'mongodb';
import { storableText } from '../../../../model/text.js';
import { type Change, type Row, type Table, WriteConflict } from '../../contract.js';
import { columnOf } from '../../shared/sql/dialect.js';
import {
  type Collection,
  type Document,
  documentOf,
  type InSession,
  refuseJson,
  stored,
  uniqueField,
  uniqueValues,
} from './documents.js';
import { termsDocument } from './search.js';

const DUPLICATE_KEY = 11_000;

/**
 * Turns changes into steps. A server without transactions may fail between two steps, so referring rows are written
 * before the rows they refer to: tables are listed parents first and written last to first. A batch that only removes
 * runs in the opposite order. Within a table the order is kept.
 */
export function stepsOf(tables: ReadonlyMap<string, Table>, changes: readonly Change[]): Step[] {
  const byTable = new Map<string, Step[]>([...tables.keys()].map((name) => [name, []]));
  for (const change of joinInserts(changes)) {
    const table = tables.get(change.table);
    if (table === undefined) throw new Error(`there is no table ${change.table}`);
    byTable.get(change.table)?.push(stepOf(table, change));
  }
  const inOrder = [...byTable.values()];
  const removing = changes.every(({ kind }) => kind === 'remove');
  return (removing ? inOrder : inOrder.reverse()).flat().filter(({ ids }) => ids.length > 0);
}

type Joined = Exclude<Change, { kind: 'insert' | 'put' }> | { kind: 'insert' | 'put'; table: string; rows: Row[] };

/** Batches consecutive changes of the same kind and table. */
function joinInserts(changes: readonly Change[]): Joined[] {
  const joined: Joined[] = [];
  const open = new Map<string, Joined>();
  for (const change of changes) {
    const before = open.get(change.table);
    if (change.kind === 'patch' || change.kind === 'remove') {
      open.delete(change.table);
      joined.push(change);
    } else if (before !== undefined && before.kind === change.kind && 'rows' in before) {
      before.rows.push(change.row);
    } else {
      const next: Joined = { kind: change.kind, table: change.table, rows: [change.row] };
      open.set(change.table, next);
      joined.push(next);
    }
  }
  return joined;
}

function stepOf(table: Table, change: Joined): Step {
  switch (change.kind) {
    case 'insert':
    case 'put':
      return writeStep(table, change);
    case 'patch':
      return patchStep(table, change);
    case 'remove':
      return removeStep(table, change.ids.map(storableText));
    default:
      return change satisfies never;
  }
}

/** Runs the steps in order; a violated unique key is a WriteConflict. */
export async function runSteps(steps: readonly Step[], places: Collections, options: InSession): Promise<void> {
  for (const step of steps) {
    await step.run(places, options).catch((error: { code?: unknown }) => {
      throw error.code === DUPLICATE_KEY ? new WriteConflict(step.table.name) : error;
    });
  }
}

/** For a server without transactions: saves the old rows and restores them if a step fails. */
export async function runOrUndo(steps: readonly Step[], places: Collections): Promise<void> {
  const before = await Promise.all(
    steps.map(async ({ table, ids }) => {
      const of = (collection: Collection) => collection.find({ _id: { $in: ids } }, {}).toArray();
      const words = table.terms === undefined ? [] : await of(places.terms(table.name));
      return { table, ids, rows: await of(places.rows(table.name)), words };
    }),
  );
  try {
    await runSteps(steps, places, {});
  } catch (error) {
    for (const { table, ids, rows, words } of before) {
      await restore(places.rows(table.name), ids, rows);
      if (table.terms !== undefined) await restore(places.terms(table.name), ids, words);
    }
    throw error;
  }
}

async function restore(collection: Collection, ids: readonly string[], documents: readonly Document[]): Promise<void> {
  const kept = new Set(documents.map(({ _id }) => _id));
  await collection.deleteMany({ _id: { $in: ids.filter((id) => !kept.has(id)) } }, {});
  if (documents.length > 0) await collection.bulkWrite(documents.map(replacement), { ordered: true });
}

export interface Collections {
  rows(table: string): Collection;
  terms(table: string): Collection;
}

/** One validated change: everything that can be checked without the server has been. */
interface Step {
  table: Table;
  ids: string[];
  run(places: Collections, options: InSession): Promise<void>;
}

/** Insert or put: for `insert`, the server rejects an existing id or key. */
function writeStep(table: Table, { kind, rows }: { kind: 'insert' | 'put'; rows: Row[] }): Step {
  const documents = rows.map((row) => documentOf(table, row));
  const ids = documents.map(({ _id }) => _id);
  const { terms } = table;
  const words = terms === undefined ? [] : rows.flatMap((row) => termsDocument(storableText(row.id), row[terms]));
  return {
    table,
    ids,
    async run(places, options) {
      const target = places.rows(table.name);
      if (kind === 'insert') await target.insertMany(documents, options);
      else await refuseTakenKeys(table, target, { documents, options });
      if (kind === 'put') await target.bulkWrite(documents.map(replacement), { ...options, ordered: true });
      if (terms === undefined) return;
      await places.terms(table.name).deleteMany({ _id: { $in: ids } }, options);
      if (words.length > 0) await places.terms(table.name).insertMany(lastOfEach(words), options);
    },
  };
}

function patchStep(table: Table, patch: Extract<Change, { kind: 'patch' }>): Step {
  const ids = [...new Set(patch.ids.map(storableText))];
  const { terms } = table;
  const fields = Object.keys(patch.set).filter((field) => field !== terms);
  if (fields.includes('id')) throw new Error(`the id of a row of table ${table.name} cannot be changed`);
  const set = Object.assign(
    {},
    ...fields.map((field) => stored(table, field, required(table, field, patch.set[field]))),
  );
  const expected = Object.entries(patch.when ?? {}).map(([field, value]) => {
    refuseJson(table, field);
    return stored(table, field, value);
  });
  const touchesKey = (table.unique ?? []).some((key) => key.some((field) => fields.includes(field)));
  return {
    table,
    ids,
    async run(places, options) {
      const target = places.rows(table.name);
      const held = await target.find({ $and: [{ _id: { $in: ids } }, ...expected] }, options).toArray();
      if (patch.when !== undefined && held.length !== ids.length) throw new WriteConflict(table.name);
      if (touchesKey) {
        // A unique key combines several fields, so it is computed from the whole document.
        const changed = held.map((document) => withoutAbsent({ ...document, ...set }));
        const whole = changed.map((document) => withoutAbsent({ ...document, ...uniqueValues(table, document) }));
        await refuseTakenKeys(table, target, { documents: whole, options });
        if (whole.length > 0) await target.bulkWrite(whole.map(replacement), { ...options, ordered: true });
      } else if (fields.length > 0) await target.updateMany({ _id: { $in: ids } }, updateOf(set), options);
      if (terms === undefined || !Object.hasOwn(patch.set, terms)) return;
      await places.terms(table.name).deleteMany({ _id: { $in: ids } }, options);
      const words = held.flatMap(({ _id }) => termsDocument(_id, patch.set[terms]));
      if (words.length > 0) await places.terms(table.name).insertMany(words, options);
    },
  };
}

/** The server checks these keys too, but FerretDB's error for an update looks like an outage. */
async function refuseTakenKeys(
  table: Table,
  target: Collection,
  { documents, options }: { documents: readonly Document[]; options: InSession },
): Promise<void> {
  for (const position of (table.unique ?? []).keys()) {
    const field = uniqueField(position);
    const owners = new Map(documents.flatMap((document) => keyAndOwner(document, field)));
    if (owners.size === 0) continue;
    const holders = await target.find({ [field]: { $in: [...owners.keys()] } }, options).toArray();
    if (holders.some((holder) => owners.get(holder[field]) !== holder._id)) throw new WriteConflict(table.name);
  }
}

function keyAndOwner(document: Document, field: string): [unknown, string][] {
  return document[field] === undefined ? [] : [[document[field], document._id]];
}

function removeStep(table: Table, ids: string[]): Step {
  return {
    table,
    ids,
    async run(places, options) {
      if (table.terms !== undefined) await places.terms(table.name).deleteMany({ _id: { $in: ids } }, options);
      await places.rows(table.name).deleteMany({ _id: { $in: ids } }, options);
    },
  };
}

function required(table: Table, field: string, value: Row[string]): Row[string] {
  if (value !== undefined || columnOf(table, field).optional) return value;
  throw new Error(`field ${field} of table ${table.name} is missing`);
}

/** Replaces the document with this id, or inserts it. */
function replacement(document: Document): AnyBulkWriteOperation<Document> {
  const { _id, ...fields } = document;
  return { replaceOne: { filter: { _id }, replacement: fields, upsert: true } };
}

function updateOf(set: Record<string, unknown>): UpdateFilter<Document> {
  const given = Object.entries(set);
  const values = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const absent = Object.fromEntries(
    given.filter(([, value]) => value === undefined).map(([field]) => [field, '' as const]),
  );
  return {
    ...(Object.keys(values).length === 0 ? {} : { $set: values }),
    ...(Object.keys(absent).length === 0 ? {} : { $unset: absent }),
  };
}

function withoutAbsent(document: Document): Document {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined)) as Document;
}

function lastOfEach(documents: readonly Document[]): Document[] {
  return [...new Map(documents.map((document) => [document._id, document])).values()];
}

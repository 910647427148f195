import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { storableText } from '../../../../model/text.js';
import type { Column, Table } from '../../contract.js';
import { type Dialect, quoted } from '../../shared/sql/dialect.js';
import type { Opened } from './protocol.js';

/** The SQLite tables, and the totals of their full-text indexes. */

const CURRENT_SCHEMA_VERSION = 1;

type Database = DatabaseSyncInstance;

/**
 * Each runs in one transaction, in order, on databases below its version. New tables and optional columns need none:
 * they are created at every open. A fresh database gets the current tables at version 1, so later steps must accept
 * that layout.
 */
const migrations: readonly { to: number; apply: (database: Database, tables: readonly Table[]) => void }[] = [
  { to: 1, apply: createMissing },
];

/**
 * Inspects the file without changing it. Both values are read in one transaction, because another process may be
 * creating the schema.
 */
export function inspectSchema(database: Database): Opened {
  return inTransaction(database, 'BEGIN', () => {
    const schemaVersion = schemaVersionOf(database);
    if (schemaVersion > CURRENT_SCHEMA_VERSION) return { schemaVersion, state: 'newer' };
    const foreign = schemaVersion === 0 && schemaNames(database).size > 0;
    return { schemaVersion, state: foreign ? 'foreign' : 'ready' };
  });
}

/** Upgrades the file to the current version and creates what is missing; safe when several processes do so at once. */
export function prepareSchema(database: Database, tables: readonly Table[]): void {
  for (const migration of migrations) {
    inTransaction(database, 'BEGIN IMMEDIATE', () => {
      if (schemaVersionOf(database) >= migration.to) return;
      migration.apply(database, tables);
      database.exec(`PRAGMA user_version = ${migration.to}`);
    });
  }
  inTransaction(database, 'BEGIN IMMEDIATE', () => createMissing(database, tables));
  inTransaction(database, 'BEGIN IMMEDIATE', () => settleTotals(database, tables));
}

/** Whether one of our databases lacks something that this version needs; false for a fresh one. */
export function needsUpgrade(database: Database, tables: readonly Table[]): boolean {
  const version = schemaVersionOf(database);
  if (version === 0) return false;
  return version < CURRENT_SCHEMA_VERSION || missingStatements(database, tables).length > 0;
}

/** For a file that must not be changed: throws when something is missing. */
export function checkSchema(database: Database, tables: readonly Table[]): void {
  if (missingStatements(database, tables).length === 0) return;
  throw new Error('the metadata database lacks tables or columns; open it once for writing to create them');
}

function createMissing(database: Database, tables: readonly Table[]): void {
  for (const statement of missingStatements(database, tables)) database.exec(statement);
}

function missingStatements(database: Database, tables: readonly Table[]): string[] {
  const names = schemaNames(database);
  return tables.flatMap((table) => [
    ...(names.has(table.name) ? missingColumns(database, table) : [createTable(table)]),
    ...indexes(table)
      .filter(({ name }) => !names.has(name))
      .map(({ text }) => text),
    ...(table.terms === undefined || names.has(`${table.name}_terms`) ? [] : [createTermsTable(table)]),
  ]);
}

/**
 * Ordinary rowid tables: WITHOUT ROWID was slower in every measurement (random ids split its large pages). `seq` links
 * a row to its terms and, unlike a bare rowid, survives VACUUM.
 */
function createTable(table: Table): string {
  const key =
    table.terms === undefined
      ? ['"id" TEXT NOT NULL PRIMARY KEY']
      : ['seq INTEGER PRIMARY KEY', '"id" TEXT NOT NULL UNIQUE'];
  const columns = Object.entries(table.columns).map(([name, column]) => columnText(name, column));
  return `CREATE TABLE ${quoted(table.name)} (${[...key, ...columns].join(', ')}) STRICT`;
}

function columnText(name: string, column: Column): string {
  return `${quoted(name)} ${columnTypes[column.type]}${column.optional ? '' : ' NOT NULL'}`;
}

const columnTypes = { text: 'TEXT', integer: 'INTEGER', real: 'REAL', boolean: 'INTEGER', json: 'TEXT' } as const;

function missingColumns(database: Database, table: Table): string[] {
  const present = new Set(firstCells(database, `SELECT name FROM pragma_table_info(${literal(table.name)})`));
  if (table.terms !== undefined && !present.has('seq')) throw new Error(`table ${table.name} needs a migration: seq`);
  return Object.entries(table.columns).flatMap(([name, column]) => {
    if (present.has(name)) return [];
    if (!column.optional) throw new Error(`table ${table.name} needs a migration: ${name} is required and missing`);
    return [`ALTER TABLE ${quoted(table.name)} ADD COLUMN ${columnText(name, column)}`];
  });
}

/**
 * Plain indexes end with the id, so that they also provide the page order. One that begins with an optional column leaves
 * out the rows without it: hardly any message has a speaker, and rows are never looked up by a value that is absent.
 */
function indexes(table: Table): { name: string; text: string }[] {
  const describe = (kind: 'UNIQUE INDEX' | 'INDEX', fields: readonly string[]) => {
    const name = [table.name, kind === 'INDEX' ? 'by' : 'unique', ...fields].join('_');
    const [first = ''] = fields;
    const present =
      kind === 'INDEX' && table.columns[first]?.optional === true ? ` WHERE ${quoted(first)} IS NOT NULL` : '';
    const columns = fields.map(quoted).join(', ');
    return { name, text: `CREATE ${kind} ${quoted(name)} ON ${quoted(table.name)} (${columns})${present}` };
  };
  return [
    ...(table.unique ?? []).map((fields) => describe('UNIQUE INDEX', fields)),
    ...(table.indexes ?? []).map((fields) => describe('INDEX', fields.includes('id') ? fields : [...fields, 'id'])),
  ];
}

/**
 * Contentless: only the index is stored. Every printable ASCII character is part of a token, so it splits only at
 * blanks.
 */
function createTermsTable(table: Table): string {
  const signs = Array.from({ length: 94 }, (_, position) => String.fromCharCode(33 + position)).join('');
  const tokenChars = signs.replaceAll(/[A-Za-z0-9]/g, '').replaceAll("'", "''");
  const tokenizer = quoted(`ascii tokenchars '${tokenChars}'`);
  return `CREATE VIRTUAL TABLE ${termsTable(table.name)} USING fts5(terms, content='', contentless_delete=1, tokenize=${tokenizer})`;
}

function inTransaction<Result>(database: Database, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => Result): Result {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function schemaVersionOf(database: Database): number {
  return Number(firstCells(database, 'PRAGMA user_version')[0]);
}

function schemaNames(database: Database): Set<unknown> {
  return new Set(firstCells(database, 'SELECT name FROM sqlite_schema'));
}

function firstCells(database: Database, text: string): unknown[] {
  const rows: unknown[][] = database.prepare(text, { returnArrays: true }).all();
  return rows.map(([cell]) => cell);
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Recounts an index's totals where they are wrong. FTS5 stores the number of rows and words of an index, and BM25
 * weighs words by them; in a contentless index, replaced or removed rows are not subtracted, so after a reindex every
 * word would seem twice as rare. Needs its own transaction, because FTS5 writes its own copy at commit.
 */
function settleTotals(database: DatabaseSyncInstance, tables: readonly Table[]): void {
  for (const { name, terms } of tables) {
    if (terms !== undefined) settleTotal(database, name);
  }
}

function settleTotal(database: DatabaseSyncInstance, table: string): void {
  const [data, sizes] = [quoted(`${table}_terms_data`), quoted(`${table}_terms_docsize`)];
  const stored = cellOf(database, `SELECT block FROM ${data} WHERE id = 1`);
  const rows = Number(cellOf(database, `SELECT count(*) FROM ${sizes}`));
  if (!(stored instanceof Uint8Array) || stored.length === 0 || numberAt(stored) === rows) return;
  let words = 0;
  const lengths: Iterable<unknown[]> = database.prepare(`SELECT sz FROM ${sizes}`, { returnArrays: true }).iterate();
  for (const [size] of lengths) {
    if (size instanceof Uint8Array) words += numberAt(size);
  }
  const block = Uint8Array.from([...bytesOf(rows), ...bytesOf(words)]);
  // SQLite has no command for this and protects an index's shadow tables, so the protection is lifted for this one row.
  database.enableDefensive(false);
  try {
    database.prepare(`UPDATE ${data} SET block = ? WHERE id = 1`).run(block);
  } finally {
    database.enableDefensive(true);
  }
}

function cellOf(database: DatabaseSyncInstance, text: string): unknown {
  const [row]: unknown[][] = database.prepare(text, { returnArrays: true }).all();
  return row?.[0];
}

/** SQLite's varint: seven bits per byte, most significant first; the eighth bit means that more follow. */
export function numberAt(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}

function bytesOf(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80);
  return bytes;
}

/** The SQLite dialect: lists through json_each, terms in an FTS5 table whose rowid is the row's `seq`. */
export const sqliteDialect: Dialect = {
  placeholder: () => '?',
  // Without statistics SQLite expects two equalities to match few rows, and would read every conversation of a project.
  unindexed: (column) => `+${column}`,
  inList: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  hasText: (column, text, bind) =>
    `EXISTS (SELECT 1 FROM json_each(${column}) AS held WHERE held.value = ${bind(storableText(text))})`,

  setTerms({ table, bind, id, terms, row }) {
    const verb = row === 'new' ? 'INSERT' : 'INSERT OR REPLACE';
    const source = `SELECT seq, ${bind(terms)} FROM ${quoted(table.name)} WHERE "id" = ${bind(id)}`;
    return `${verb} INTO ${termsTable(table.name)} (rowid, terms) ${source}`;
  },

  clearTerms({ table, bind, ids }) {
    const rows = `SELECT seq FROM ${quoted(table.name)} WHERE "id" IN (SELECT value FROM json_each(${bind(JSON.stringify(ids))}))`;
    return `DELETE FROM ${termsTable(table.name)} WHERE rowid IN (${rows})`;
  },

  /**
   * CROSS JOIN fixes the order: the text index yields rowids, the base row is looked up and filtered, and the rank is
   * computed only for rows that pass. rank is bm25, lower is better; score = -bm25.
   */
  searchTerms({ table, bind, terms, runs, where, holding, limit }) {
    const index = termsTable(table.name);
    const wanted = runs?.map((run) => run.map(quotedTerm).join(' + ')).join(' AND ');
    const anyOf = (some: readonly string[]): string => some.map(quotedTerm).join(' OR ');
    const match = bind(wanted ?? anyOf(terms));
    // The unary plus makes this a check of each row found, which comes before its rank is computed.
    const held = holding && `+found.rowid IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${bind(anyOf(holding))})`;
    return [
      `SELECT t."id", -found.rank FROM ${index} AS found CROSS JOIN ${quoted(table.name)} AS t ON t.seq = found.rowid`,
      `WHERE found.${index} MATCH ${match} ${held === undefined ? '' : `AND ${held} `}AND ${where()}`,
      `ORDER BY found.rank, t."id" LIMIT ${bind(limit)}`,
    ].join(' ');
  },
};

export function termsTable(table: string): string {
  return quoted(`${table}_terms`);
}

/** A quoted term is taken literally: AND, NEAR, * and other operators have no meaning inside quotes. */
export function quotedTerm(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

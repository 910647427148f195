import { StartupError } from '../../../../model/errors.js';
import type { PostgresClient } from '../../../shared/postgres-pool.js';
import type { Column, Table } from '../../contract.js';
import { quoted } from '../../shared/sql/dialect.js';
import { columnTypes, termsTable } from './dialect.js';

export const CURRENT_SCHEMA_VERSION = 1;

/** Holds one row, the schema version: how we know that the other tables are ours. */
const VERSION_TABLE = 'threadkeep_schema';

/**
 * Creates what is missing, in one transaction and one process at a time: of several that start together, the first does
 * the work and the others find it done. Answers the version found; one that is newer is left exactly as it was.
 */
export async function prepareSchema(client: PostgresClient, tables: readonly Table[]): Promise<number> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', ['threadkeep:metadata']);
  const found = await inspectSchema(client, tables);
  if (found > CURRENT_SCHEMA_VERSION) return found;
  if (found === 0) {
    await client.query(`CREATE TABLE ${VERSION_TABLE} (version integer NOT NULL)`);
    await client.query(`INSERT INTO ${VERSION_TABLE} VALUES (${CURRENT_SCHEMA_VERSION})`);
  }
  for (const statement of await missingStatements(client, tables)) await client.query(statement);
  return CURRENT_SCHEMA_VERSION;
}

/** For a database that must not be changed: 0 when nothing of ours is there; throws when something is missing. */
export async function checkSchema(client: PostgresClient, tables: readonly Table[]): Promise<number> {
  const found = await inspectSchema(client, tables);
  if (found !== CURRENT_SCHEMA_VERSION) return found;
  if ((await missingStatements(client, tables)).length === 0) return found;
  throw new Error('the metadata database lacks tables or columns; open it once for writing to create them');
}

async function inspectSchema(client: PostgresClient, tables: readonly Table[]): Promise<number> {
  const names = await relationNames(client);
  if (names.has(VERSION_TABLE)) {
    const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${VERSION_TABLE}`);
    return rows[0]?.version ?? 0;
  }
  const taken = tables.find(({ name }) => names.has(name));
  if (taken === undefined) return 0;
  throw new StartupError(
    'schema_version_unsupported',
    `The database has a table ${taken.name} that was made by another program.`,
    {
      hint: 'Use a database of its own, or a schema of its own with ?options=-csearch_path=threadkeep in the address.',
    },
  );
}

async function missingStatements(client: PostgresClient, tables: readonly Table[]): Promise<string[]> {
  const names = await relationNames(client);
  const statements: string[] = [];
  for (const table of tables) {
    statements.push(...(names.has(table.name) ? await missingColumns(client, table) : [createTable(table)]));
    const missing = indexes(table).filter(({ name }) => !names.has(name));
    if (table.terms !== undefined && !names.has(`${table.name}_terms`)) statements.push(...createTerms(table));
    statements.push(...missing.map(({ text }) => text));
  }
  return statements;
}

/** Text is ordered by its bytes, as in every other store, and not by the rules of a language. */
function createTable(table: Table): string {
  const columns = Object.entries(table.columns).map(([name, column]) => columnText(name, column));
  return `CREATE TABLE ${quoted(table.name)} ("id" text COLLATE "C" PRIMARY KEY, ${columns.join(', ')})`;
}

function columnText(name: string, column: Column): string {
  const type = columnTypes[column.type];
  const collation = column.type === 'text' ? ' COLLATE "C"' : '';
  return `${quoted(name)} ${type}${collation}${column.optional ? '' : ' NOT NULL'}`;
}

function createTerms(table: Table): string[] {
  const name = termsTable(table);
  return [
    `CREATE TABLE ${name} ("id" text COLLATE "C" PRIMARY KEY, length integer NOT NULL, terms tsvector NOT NULL)`,
    `CREATE INDEX ON ${name} USING gin (terms)`,
    // Answers how many rows there are and how long they are without reading them.
    `CREATE INDEX ON ${name} (length)`,
  ];
}

async function missingColumns(client: PostgresClient, table: Table): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [quoted(table.name)],
  );
  const present = new Set(rows.map(({ name }) => name));
  return Object.entries(table.columns).flatMap(([name, column]) => {
    if (present.has(name)) return [];
    if (!column.optional) throw new Error(`table ${table.name} needs a migration: ${name} is required and missing`);
    return [`ALTER TABLE ${quoted(table.name)} ADD COLUMN ${columnText(name, column)}`];
  });
}

/** Plain indexes end with the id, so that they also give the order of pages. */
function indexes(table: Table): { name: string; text: string }[] {
  const describe = (kind: 'UNIQUE INDEX' | 'INDEX', fields: readonly string[]) => {
    const name = [table.name, kind === 'INDEX' ? 'by' : 'unique', ...fields].join('_').slice(0, LONGEST_NAME);
    return { name, text: `CREATE ${kind} ${quoted(name)} ON ${quoted(table.name)} (${fields.map(quoted).join(', ')})` };
  };
  return [
    ...(table.unique ?? []).map((fields) => describe('UNIQUE INDEX', fields)),
    ...(table.indexes ?? []).map((fields) => describe('INDEX', fields.includes('id') ? fields : [...fields, 'id'])),
  ];
}

/** PostgreSQL truncates longer names silently, and later statements would not find them. */
const LONGEST_NAME = 63;

/** In the schema that new tables go to. */
async function relationNames(client: PostgresClient): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace',
  );
  return new Set(rows.map(({ name }) => name));
}

import { createHash } from 'node:crypto';
import { StartupError } from '../../../../model/errors.js';
import type { PostgresClient } from '../../../shared/postgres-pool.js';
import type { Column, OpenedMetadata, Table } from '../../contract.js';
import { type Dialect, quoted } from '../../shared/sql/dialect.js';

/** The PostgreSQL tables, and how its dialect names their parts. */

export const CURRENT_SCHEMA_VERSION = 1;

/** Holds one row with the schema version, which shows that the other tables are ours. */
const VERSION_TABLE = 'threadkeep_schema';

/**
 * Creates what is missing, in one transaction and one process at a time, so that of several processes starting together
 * the first does the work. A newer version is not changed, nor, without `upgrade`, an older one that holds data.
 */
export async function prepareSchema(
  client: PostgresClient,
  tables: readonly Table[],
  { upgrade }: { upgrade: boolean },
): Promise<OpenedMetadata> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', ['threadkeep:metadata']);
  const found = await inspectSchema(client, tables);
  if (found > CURRENT_SCHEMA_VERSION) return { schemaVersion: found };
  const statements = await missingStatements(client, tables);
  if (found !== 0 && statements.length > 0 && !upgrade) {
    const older = await presentTables(client, tables);
    if (await holdRows(client, older)) return { schemaVersion: found, older };
  }
  if (found === 0) {
    await client.query(`CREATE TABLE ${VERSION_TABLE} (version integer NOT NULL)`);
    await client.query(`INSERT INTO ${VERSION_TABLE} VALUES (${CURRENT_SCHEMA_VERSION})`);
  }
  for (const statement of statements) await client.query(statement);
  return { schemaVersion: CURRENT_SCHEMA_VERSION };
}

/** For a database that must not be changed: 0 when it has nothing of ours; throws when something is missing. */
export async function checkSchema(client: PostgresClient, tables: readonly Table[]): Promise<OpenedMetadata> {
  const schemaVersion = await inspectSchema(client, tables);
  if (schemaVersion !== CURRENT_SCHEMA_VERSION) return { schemaVersion };
  if ((await missingStatements(client, tables)).length === 0) return { schemaVersion };
  throw new Error('the metadata database lacks tables or columns; open it once for writing to create them');
}

/** The tables that are there, with the columns they have. */
async function presentTables(client: PostgresClient, tables: readonly Table[]): Promise<Table[]> {
  const names = await relationNames(client);
  const present: Table[] = [];
  for (const table of tables.filter(({ name }) => names.has(name))) {
    const there = await columnNames(client, table);
    const columns = Object.entries(table.columns).filter(([name]) => there.has(name));
    present.push({ ...table, columns: Object.fromEntries(columns) });
  }
  return present;
}

async function holdRows(client: PostgresClient, tables: readonly Table[]): Promise<boolean> {
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (rows.length > 0) return true;
  }
  return false;
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
    `The database has a table ${taken.name} that was created by another program.`,
    {
      hint: 'Use a separate database, or a separate schema with ?options=-csearch_path=threadkeep in the address.',
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

/** Text is ordered by bytes, as in every other store, not by language rules. */
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
    // Lets an index-only scan count the rows and sum their lengths.
    `CREATE INDEX ON ${name} (length)`,
  ];
}

async function missingColumns(client: PostgresClient, table: Table): Promise<string[]> {
  const present = await columnNames(client, table);
  return Object.entries(table.columns).flatMap(([name, column]) => {
    if (present.has(name)) return [];
    if (!column.optional) throw new Error(`table ${table.name} needs a migration: ${name} is required and missing`);
    return [`ALTER TABLE ${quoted(table.name)} ADD COLUMN ${columnText(name, column)}`];
  });
}

async function columnNames(client: PostgresClient, { name }: Pick<Table, 'name'>): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [quoted(name)],
  );
  return new Set(rows.map((row) => row.name));
}

/** Plain indexes end with the id, so that they also provide the page order. */
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

/** In the schema in which new tables are created. */
async function relationNames(client: PostgresClient): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace',
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * The PostgreSQL dialect. Terms are kept in a separate table, as a `tsvector` with a GIN index: rows change state
 * often, and that must not rewrite their index entries.
 */
export const postgresDialect: Dialect = {
  placeholder: (position) => `$${position}`,
  // No hint needed: PostgreSQL has statistics about its rows.
  unindexed: (column) => column,
  inList: (column, list, type) =>
    `${column} = ANY(ARRAY(SELECT json_array_elements_text(${list}::json)::${columnTypes[type]}))`,

  // Elements are compared in their JSON form, because some (NUL, lone surrogates) cannot be PostgreSQL text.
  hasText: (column, text, bind) =>
    `EXISTS (SELECT 1 FROM json_array_elements(CASE json_typeof(${column}::json) WHEN 'array' THEN ${column}::json END) ` +
    `AS held (value) WHERE held.value::text = ${bind(JSON.stringify(text))})`,

  setTerms({ table, bind, id, terms, row }) {
    const { length, vector } = vectorOf(terms);
    const key = bind(id);
    const values = `${bind(length)}::integer, ${bind(vector)}::tsvector`;
    const into = `INSERT INTO ${termsTable(table)} ("id", length, terms)`;
    const replace = 'ON CONFLICT ("id") DO UPDATE SET length = excluded.length, terms = excluded.terms';
    if (row === 'new') return `${into} VALUES (${key}, ${values})`;
    if (row === 'put') return `${into} VALUES (${key}, ${values}) ${replace}`;
    return `${into} SELECT "id", ${values} FROM ${quoted(table.name)} WHERE "id" = ${key} ${replace}`;
  },

  clearTerms: ({ table, bind, ids }) =>
    `DELETE FROM ${termsTable(table)} AS t WHERE ${postgresDialect.inList('t."id"', bind(JSON.stringify(ids)), 'text')}`,

  /**
   * BM25 with SQLite's constants, so that both rank alike (k1 1.2, b 0.75, idf at least 1e-6). The number of
   * occurrences of a term is recovered from `ts_rank`, which for one term with equal weights is the sum of 1/k² for k
   * up to that number, divided by π²/6; the remainder to π²/6 is close to 1/(n + ½).
   */
  searchTerms({ table, bind, terms, runs, where, among, limit }) {
    const index = termsTable(table);
    // Joins the caller's rows only if there are others; otherwise the index alone answers.
    const counted = among === undefined ? '' : ` JOIN ${quoted(table.name)} AS own ON own."id" = held."id"`;
    const isOurs = (): string => (among === undefined ? 'TRUE' : among('own'));
    const queries = terms.map(quotedTerm);
    const every = runs && [...new Set(runs.flat())].map(quotedTerm).join(' & ');
    return [
      `WITH size AS (SELECT count(*)::float8 AS rows, avg(held.length)::float8 AS length FROM ${index} AS held${counted} WHERE ${isOurs()}),`,
      `words AS MATERIALIZED (SELECT given.word::tsquery AS word,`,
      `(SELECT count(*) FROM ${index} AS held${counted} WHERE held.terms @@ given.word::tsquery AND ${isOurs()})::float8 AS rows`,
      `FROM json_array_elements_text(${bind(JSON.stringify(queries))}::json) AS given (word)),`,
      'weighted AS MATERIALIZED (SELECT words.word, size.length,',
      'greatest(ln((size.rows - words.rows + 0.5) / (words.rows + 0.5)), 1e-6) AS idf FROM words, size WHERE words.rows > 0)',
      `SELECT t."id", scored.score FROM ${index} AS found JOIN ${quoted(table.name)} AS t ON t."id" = found."id"`,
      'CROSS JOIN LATERAL (SELECT sum(weighted.idf * 2.2 * counted.n /',
      '(counted.n + 1.2 * (0.25 + 0.75 * found.length / weighted.length))) AS score FROM weighted CROSS JOIN LATERAL',
      `(SELECT round(1 / (1.64493406685 * (1 - ts_rank('{1,1,1,1}', found.terms, weighted.word)::float8)) - 0.5) AS n) AS counted`,
      'WHERE found.terms @@ weighted.word) AS scored',
      `WHERE found.terms @@ ${bind(every ?? queries.join(' | '))}::tsquery AND ${where()}`,
      `ORDER BY scored.score DESC, t."id" LIMIT ${bind(limit)}`,
    ].join(' ');
  },
};

const columnTypes = {
  text: 'text',
  integer: 'bigint',
  real: 'double precision',
  boolean: 'smallint',
  json: 'text',
} as const satisfies Record<Column['type'], string>;

export function termsTable({ name }: Pick<Table, 'name'>): string {
  return quoted(`${name}_terms`);
}

/** Limits of a tsvector: 2,046 bytes per word, 255 positions per word, one megabyte in all. */
const LONGEST_WORD = 500;
const MOST_PLACES = 255;
const LARGEST_VECTOR = 900_000;

/** Only the number of occurrences is stored, as positions 1, 2, 3 …; their order is not used. */
function vectorOf(terms: string): { length: number; vector: string } {
  const all = terms.split(' ').filter((term) => term !== '');
  const counts = new Map<string, number>();
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
  const words: string[] = [];
  let size = 0;
  for (const [term, count] of counts) {
    const places = Math.min(count, MOST_PLACES);
    size += 4 * Math.min(term.length, LONGEST_WORD) + 2 * places + 8;
    if (size > LARGEST_VECTOR) break;
    words.push(`${quotedTerm(term)}:${Array.from({ length: places }, (_, place) => place + 1).join(',')}`);
  }
  return { length: all.length, vector: words.join(' ') };
}

/** Inside quotes only these two characters are special. A word that is too long is replaced by its hash. */
function quotedTerm(term: string): string {
  const word = term.length > LONGEST_WORD ? createHash('sha256').update(term).digest('hex') : term;
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

import { createHash } from 'node:crypto';
import type { Column, Table } from '../../contract.js';
import { type Dialect, quoted } from '../../shared/sql/dialect.js';

/**
 * The PostgreSQL dialect. Terms live in a table beside the rows, as a `tsvector` under a GIN index: rows change their
 * state often, and their index entries must not be written anew each time.
 */
export const postgresDialect: Dialect = {
  placeholder: (position) => `$${position}`,
  // PostgreSQL has statistics about its rows.
  unindexed: (column) => column,
  inList: (column, list, type) =>
    `${column} = ANY(ARRAY(SELECT json_array_elements_text(${list}::json)::${columnTypes[type]}))`,

  // The elements are compared as they were written, because some of them (NUL, half a surrogate pair) cannot be text.
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
   * BM25 with the constants of SQLite's, so that both rank alike (k1 1.2, b 0.75, idf at least 1e-6). How often a term
   * stands in a row is read back from `ts_rank`, which for one term with equal weights is the sum of 1/k² for k up to
   * that number, divided by π²/6; what is missing of π²/6 is close to 1/(n + ½).
   */
  searchTerms({ table, bind, terms, runs, where, among, limit }) {
    const index = termsTable(table);
    // Only the caller's rows are looked up where there are others; otherwise the index alone answers.
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

export const columnTypes = {
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

/** Only how often a term occurs is kept, as the places 1, 2, 3 …; their order means nothing to us. */
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

/** In quotes every sign is part of the word but these two. A word that is too long is known by its hash. */
function quotedTerm(term: string): string {
  const word = term.length > LONGEST_WORD ? createHash('sha256').update(term).digest('hex') : term;
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

import { storableText } from '../../../../model/text.js';
import { type Dialect, quoted } from '../../shared/sql/dialect.js';

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

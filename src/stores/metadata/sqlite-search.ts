import type { TextHit, TextQuery } from './contract.js';
import { searchStatement, searchTermsOf } from './sql.js';
import { newStatement, type Statement, type Target } from './sql-dialect.js';
import type { SqlValue } from './sql-values.js';
import { quotedTerm, termsTable } from './sqlite-dialect.js';

type Read = (statement: Statement) => Promise<SqlValue[][]>;

/** Scoring one row costs far more than finding it; so many of them take about ten milliseconds. */
const MOST_SCORED = 20_000;
/** With fewer rows than this in sight, the next term is taken however common it is. */
const FEWEST_SCORED = 1_000;

/**
 * Full-text hits, best first. A word that is in most texts makes the index score most texts, and tells nothing of them:
 * the rarest terms find the rows, and the common ones are left out. Only where that gives too few rows, as for the
 * few texts of one person beside many of others, all terms are asked for and what is new follows behind. The longer
 * answer so begins with the shorter one, whatever the limit.
 */
export async function searchText(read: Read, target: Target, query: TextQuery): Promise<TextHit[]> {
  const terms = searchTermsOf(query);
  const telling = terms.length < 2 ? terms : tellingTerms(await countEach(read, target, terms));
  const found = await hitsOf(read, searchStatement(target, { ...query, terms: telling }));
  if (telling.length === terms.length || found.length >= query.limit) return found;
  const known = new Set(found.map(({ id }) => id));
  const all = await hitsOf(read, searchStatement(target, { ...query, terms }));
  return [...found, ...all.filter(({ id }) => !known.has(id))].slice(0, query.limit);
}

/** The rarest terms, in their order, as long as what they find can be scored quickly. */
export function tellingTerms(counted: readonly { term: string; rows: number }[]): string[] {
  const rarestFirst = counted.toSorted((one, other) => one.rows - other.rows);
  const kept = new Set<string>();
  let rows = 0;
  for (const { term, rows: more } of rarestFirst) {
    if (rows >= FEWEST_SCORED && rows + more > MOST_SCORED) break;
    kept.add(term);
    rows += more;
  }
  return counted.filter(({ term }) => kept.has(term)).map(({ term }) => term);
}

async function countEach(
  read: Read,
  { dialect, table }: Target,
  terms: readonly string[],
): Promise<{ term: string; rows: number }[]> {
  const { parameters, bind } = newStatement(dialect);
  const index = termsTable(table.name);
  const list = bind(JSON.stringify(terms.map(quotedTerm)));
  const text = `SELECT (SELECT count(*) FROM ${index} WHERE ${index} MATCH asked.value) FROM json_each(${list}) AS asked ORDER BY asked.key`;
  const rows = await read({ table: table.name, text, parameters });
  return terms.map((term, position) => ({ term, rows: Number(rows[position]?.[0] ?? 0) }));
}

async function hitsOf(read: Read, statement: Statement | undefined): Promise<TextHit[]> {
  const rows = statement === undefined ? [] : await read(statement);
  return rows.map(([id, score]) => ({ id: String(id), score: Number(score) }));
}

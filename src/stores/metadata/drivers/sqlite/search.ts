import type { Among, TextHit, TextQuery } from '../../contract.js';
import { othersStatement } from '../../shared/sql/among.js';
import { newStatement, type Statement, type Target } from '../../shared/sql/dialect.js';
import { searchStatement, searchTermsOf } from '../../shared/sql/sql.js';
import type { SqlValue } from '../../shared/sql/values.js';
import { quotedTerm, termsTable } from './dialect.js';
import { countLocally, scoreLocally, statisticsOf } from './local-search.js';

interface Counted {
  term: string;
  rows: number;
}

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
  if (query.runs !== undefined) return hitsOf(read, searchStatement(target, query));
  const { among } = query;
  if (among !== undefined && (await hasOthers(read, target, among))) return searchAmong(read, target, query, among);
  const terms = await heldTerms(read, target, searchTermsOf(query));
  const telling = tellingTerms(terms);
  const found = await hitsOf(read, searchStatement(target, { ...query, terms: telling }));
  if (telling.length === terms.length || found.length >= query.limit) return found;
  const known = new Set(found.map(({ id }) => id));
  const all = await hitsOf(read, searchStatement(target, { ...query, terms: terms.map(({ term }) => term) }));
  return [...found, ...all.filter(({ id }) => !known.has(id))].slice(0, query.limit);
}

async function hasOthers(read: Read, target: Target, among: Among): Promise<boolean> {
  const [row] = await read(othersStatement(target, among));
  return Number(row?.[0]) === 1;
}

/** The same beside rows of others, whose words must not show in the scores. */
async function searchAmong(read: Read, target: Target, query: TextQuery, among: Among): Promise<TextHit[]> {
  if (target.table.terms === undefined) throw new Error(`table ${target.table.name} has no search terms`);
  const [terms, statistics] = await Promise.all([
    countLocally(read, target, among, searchTermsOf(query)),
    statisticsOf(read, target, among),
  ]);
  // The words of others are passed over on the way: the same work finds as many rows as their share is.
  const share = statistics.local.rows / Math.max(statistics.everywhere.rows, 1);
  const telling = new Set(tellingTerms(terms, MOST_SCORED * Math.min(1, share)));
  const first = terms.filter(({ term }) => telling.has(term));
  const found = await scoreLocally(read, target, query, { terms: first, statistics });
  if (first.length === terms.length || found.length >= query.limit) return found;
  const known = new Set(found.map(({ id }) => id));
  const all = await scoreLocally(read, target, query, { terms, statistics });
  return [...found, ...all.filter(({ id }) => !known.has(id))].slice(0, query.limit);
}

/** The rarest terms, in their order, as long as what they find can be scored quickly. */
export function tellingTerms(counted: readonly Counted[], most = MOST_SCORED): string[] {
  const rarestFirst = counted.toSorted((one, other) => one.rows - other.rows);
  const kept = new Set<string>();
  let rows = 0;
  for (const { term, rows: more } of rarestFirst) {
    if (rows >= FEWEST_SCORED && rows + more > most) break;
    kept.add(term);
    rows += more;
  }
  return counted.filter(({ term }) => kept.has(term)).map(({ term }) => term);
}

/**
 * The terms that any row holds. One that none does changes nothing, and half a word does not make the store score the
 * words before it again. One question a term, as the counts of those are known from the letter before.
 */
async function heldTerms(read: Read, { dialect, table }: Target, terms: readonly string[]): Promise<Counted[]> {
  const counted = await Promise.all(
    terms.map(async (term): Promise<Counted> => {
      const { parameters, bind } = newStatement(dialect);
      const index = termsTable(table.name);
      const text = `SELECT count(*) FROM ${index} WHERE ${index} MATCH ${bind(quotedTerm(term))}`;
      const [row] = await read({ table: table.name, text, parameters });
      return { term, rows: Number(row?.[0]) };
    }),
  );
  return counted.filter(({ rows }) => rows > 0);
}

async function hitsOf(read: Read, statement: Statement | undefined): Promise<TextHit[]> {
  const rows = statement === undefined ? [] : await read(statement);
  return rows.map(([id, score]) => ({ id: String(id), score: Number(score) }));
}

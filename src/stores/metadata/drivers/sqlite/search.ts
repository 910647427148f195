import type { Among, TextMatch, TextQuery } from '../../contract.js';
import { encode, newStatement, quoted, type SqlValue, type Statement, type Target } from '../../shared/sql/dialect.js';
import { othersStatement, searchStatement, searchTermsOf, whereText } from '../../shared/sql/sql.js';
import { numberAt, quotedTerm, termsTable } from './schema.js';

/** A term with the number of rows that contain it. */
interface Counted {
  term: string;
  rows: number;
}

/** Runs in the thread that owns the connection, so that the steps of a search never leave it. */
type Read = (statement: Statement) => SqlValue[][];

/** Scoring a row costs far more than finding it; scoring this many takes about ten milliseconds. */
const MOST_SCORED = 20_000;
/** With fewer candidate rows than this, the next term is used however common it is. */
const FEWEST_SCORED = 1_000;

/**
 * Full-text hits, best first. A word that occurs in most texts would make the index score them all without telling them
 * apart, so the rarest terms select the rows and common ones are skipped. If that gives too few rows, all terms are
 * searched and new hits are appended, so the first results do not depend on the limit.
 */
export function searchText(read: Read, target: Target, query: TextQuery): TextMatch[] {
  if (query.runs !== undefined) return hitsOf(read, searchStatement(target, query));
  const { among } = query;
  if (among !== undefined && hasOthers(read, target, among)) return searchAmong(read, target, query, among);
  const terms = heldTerms(read, target, searchTermsOf(query));
  const telling = tellingTerms(terms);
  const found = bestHits(read, target, query, counted(terms, telling));
  if (telling.length === terms.length || found.length >= query.limit) return found;
  const known = new Set(found.map(({ id }) => id));
  const all = hitsOf(read, searchStatement(target, { ...query, terms: terms.map(({ term }) => term) }));
  return [...found, ...all.filter(({ id }) => !known.has(id))].slice(0, query.limit);
}

function counted(terms: readonly Counted[], named: readonly string[]): Counted[] {
  const wanted = new Set(named);
  return terms.filter(({ term }) => wanted.has(term));
}

/**
 * The hits for any of the terms. Most of the time of a search goes into scoring rows that only contain a common word
 * and are not among the best. So at first only the rows with a rarer term are scored, by all terms. Where the last of
 * the best beats whatever the common terms alone can give, no other row can be among them, and the result is the same.
 */
function bestHits(read: Read, target: Target, query: TextQuery, terms: readonly Counted[]): TextMatch[] {
  const whole = { ...query, terms: terms.map(({ term }) => term) };
  // A narrow filter leaves too few rows to tell whether the rest is worse.
  const isBroad = (query.where ?? []).length <= 1;
  const few = isBroad
    ? selectingTerms(terms, { rows: () => rowsIndexed(read, target), limit: query.limit })
    : undefined;
  if (few !== undefined) {
    const hits = hitsOf(read, searchStatement(target, { ...whole, holding: few.terms }));
    const last = hits[query.limit - 1];
    if (last !== undefined && last.score > few.restAtMost) return hits;
  }
  return hitsOf(read, searchStatement(target, whole));
}

/** Fewer rows than this are scored in less time than it takes to choose among them. */
const FEWEST_SAVED = 500;

/**
 * The terms that select the rows to score, and the most that the other terms together add to a score. Undefined where
 * this would save little, or where the other terms may well decide.
 */
export function selectingTerms(
  terms: readonly Counted[],
  { rows, limit }: { rows: () => number; limit: number },
): { terms: string[]; restAtMost: number } | undefined {
  const commonFirst = terms.toSorted((one, other) => other.rows - one.rows);
  const total = terms.reduce((sum, term) => sum + term.rows, 0);
  if (terms.length < 2 || total < limit + FEWEST_SAVED) return undefined;
  const all = rows();
  let best: { count: number; restAtMost: number; saved: number } | undefined;
  let [restAtMost, saved] = [0, 0];
  for (const [place, term] of commonFirst.entries()) {
    const next = commonFirst[place + 1];
    // A word's share of a score stays below its weight times K1 + 1, however often the row repeats it.
    restAtMost += idf(all, term.rows) * (K1 + 1);
    saved += term.rows;
    if (next === undefined || total - saved < limit) break;
    // One occurrence in a row of four times the usual length is worth half the word's weight.
    if (restAtMost <= idf(all, next.rows) / 2) best = { count: place + 1, restAtMost, saved };
  }
  if (best === undefined || best.saved < FEWEST_SAVED) return undefined;
  const names = new Set(commonFirst.slice(best.count).map(({ term }) => term));
  const selecting = terms.filter(({ term }) => names.has(term)).map(({ term }) => term);
  return { terms: selecting, restAtMost: best.restAtMost };
}

function rowsIndexed(read: Read, { table }: Target): number {
  const text = `SELECT hex(block) FROM ${quoted(`${table.name}_terms_data`)} WHERE id = 1`;
  const [totals] = read({ table: table.name, text, parameters: [] });
  return numberAt(Buffer.from(String(totals?.[0] ?? ''), 'hex'));
}

function hasOthers(read: Read, target: Target, among: Among): boolean {
  const [row] = read(othersStatement(target, among));
  return Number(row?.[0]) === 1;
}

/** The same when other projects have rows, whose words must not affect the scores. */
function searchAmong(read: Read, target: Target, query: TextQuery, among: Among): TextMatch[] {
  if (target.table.terms === undefined) throw new Error(`table ${target.table.name} has no search terms`);
  const terms = countLocally(read, target, among, searchTermsOf(query));
  const statistics = statisticsOf(read, target, among);
  // Rows of other projects are skipped, so the same work finds only this project's share of rows.
  const share = statistics.local.rows / Math.max(statistics.everywhere.rows, 1);
  const telling = new Set(tellingTerms(terms, MOST_SCORED * Math.min(1, share)));
  const first = terms.filter(({ term }) => telling.has(term));
  const found = scoreLocally(read, target, query, { terms: first, statistics });
  if (first.length === terms.length || found.length >= query.limit) return found;
  const known = new Set(found.map(({ id }) => id));
  const all = scoreLocally(read, target, query, { terms, statistics });
  return [...found, ...all.filter(({ id }) => !known.has(id))].slice(0, query.limit);
}

/** The rarest terms in their original order, as long as their rows can be scored quickly. */
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
 * The terms that occur at all. Dropping the others means that a half-typed word does not rescore the words before it.
 * One query per term, because the counts of earlier words are cached while a person types.
 */
function heldTerms(read: Read, { dialect, table }: Target, terms: readonly string[]): Counted[] {
  const counted = terms.map((term): Counted => {
    const { parameters, bind } = newStatement(dialect);
    const index = termsTable(table.name);
    const text = `SELECT count(*) FROM ${index} WHERE ${index} MATCH ${bind(quotedTerm(term))}`;
    const [row] = read({ table: table.name, text, parameters });
    return { term, rows: Number(row?.[0]) };
  });
  return counted.filter(({ rows }) => rows > 0);
}

function hitsOf(read: Read, statement: Statement | undefined): TextMatch[] {
  const rows = statement === undefined ? [] : read(statement);
  return rows.map(([id, score]) => ({ id: String(id), score: Number(score) }));
}

/** `rows` counts only the caller's rows, `everywhere` the whole index. */
interface CountedLocally extends Counted {
  everywhere: number;
}

interface Statistics {
  rows: number;
  length: number;
}

interface Weighed {
  everywhere: Statistics;
  local: Statistics;
}

/** Sample size for the average row length. */
const ROWS_MEASURED = 1_000;
/** Each becomes a part of one compound statement, for which SQLite's limit is 500. */
const MOST_TERMS = 200;

/**
 * BM25 with the statistics of some rows only. FTS5 weighs a word by everyone's rows, so scores would reveal how many
 * other rows contain it. The number of occurrences is recovered from FTS5's score of a single word, and the score is
 * recomputed from it.
 */
function countLocally(read: Read, target: Target, among: Among, terms: readonly string[]) {
  const counted = terms.slice(0, MOST_TERMS).map((term) => countTerm(read, target, among, term));
  return counted.filter(({ rows }) => rows > 0);
}

function countTerm(read: Read, target: Target, among: Among, term: string): CountedLocally {
  const { dialect, table } = target;
  const index = termsTable(table.name);
  const one = newStatement(dialect);
  const everywhere = `SELECT count(*) FROM ${index} WHERE ${index} MATCH ${one.bind(quotedTerm(term))}`;
  const other = newStatement(dialect);
  const local = [
    `SELECT count(*) FROM ${index} AS found CROSS JOIN ${quoted(table.name)} AS t ON t.seq = found.rowid`,
    `WHERE found.${index} MATCH ${other.bind(quotedTerm(term))} AND ${amongText(target, among, other.bind, '+')}`,
  ].join(' ');
  const [all] = read({ table: table.name, text: everywhere, parameters: one.parameters });
  const [own] = read({ table: table.name, text: local, parameters: other.parameters });
  return { term, everywhere: Number(all?.[0]), rows: Number(own?.[0]) };
}

function statisticsOf(read: Read, target: Target, among: Among): Weighed {
  const { dialect, table } = target;
  const name = table.name;
  const [data, sizes] = [quoted(`${name}_terms_data`), quoted(`${name}_terms_docsize`)];
  const counting = newStatement(dialect);
  const measuring = newStatement(dialect);
  const rowsOf = (bind: typeof counting.bind) =>
    `FROM ${quoted(name)} AS t JOIN ${sizes} AS size ON size.id = t.seq WHERE ${amongText(target, among, bind)}`;
  const count = `SELECT count(*) FROM ${quoted(name)} AS t WHERE ${amongText(target, among, counting.bind)}`;
  const measured = `SELECT size.sz AS sz ${rowsOf(measuring.bind)} ORDER BY t.${quoted(among.field)}, t."id" LIMIT ${ROWS_MEASURED}`;
  const [totals] = read({ table: name, text: `SELECT hex(block) FROM ${data} WHERE id = 1`, parameters: [] });
  const [rows] = read({ table: name, text: count, parameters: counting.parameters });
  const averaged = `SELECT avg(word_count(sz)) FROM (${measured})`;
  const [length] = read({ table: name, text: averaged, parameters: measuring.parameters });
  const block = Buffer.from(String(totals?.[0] ?? ''), 'hex');
  const everywhere = numberAt(block);
  const words = numberAt(block.subarray(sizeOfNumber(block)));
  return {
    everywhere: { rows: everywhere, length: words / Math.max(everywhere, 1) },
    local: { rows: Number(rows?.[0]), length: Number(length?.[0] ?? 0) },
  };
}

function scoreLocally(
  read: Read,
  target: Target,
  query: TextQuery,
  { terms, statistics }: { terms: readonly CountedLocally[]; statistics: Weighed },
): TextMatch[] {
  if (terms.length === 0) return [];
  const { dialect, table } = target;
  const index = termsTable(table.name);
  const { parameters, bind } = newStatement(dialect);
  const sizes = quoted(`${table.name}_terms_docsize`);
  const parts = terms.map(({ term, everywhere, rows }) =>
    [
      `SELECT t.seq AS seq, t."id" AS id, found.rank AS rank, ${lengthOf('size.sz')} AS words,`,
      `${bind(idf(statistics.everywhere.rows, everywhere))} AS everywhere, ${bind(idf(statistics.local.rows, rows))} AS local`,
      `FROM ${index} AS found CROSS JOIN ${quoted(table.name)} AS t ON t.seq = found.rowid`,
      `CROSS JOIN ${sizes} AS size ON size.id = t.seq`,
      `WHERE found.${index} MATCH ${bind(quotedTerm(term))} AND ${whereText(target, query.where ?? [], bind)}`,
    ].join(' '),
  );
  const saturation = (length: number): string => `(${K1 * (1 - B)} + ${(K1 * B) / length} * words)`;
  const everywhere = saturation(statistics.everywhere.length);
  // FTS5's score of a word is everywhere * times * (K1 + 1) / (times + saturation), solved here for the integer times.
  // Each value is referenced once, because SQLite would recompute the rank for every reference.
  const times = `max(1, round(${everywhere} / (${K1 + 1} * everywhere / -rank - 1)))`;
  const text = [
    `SELECT id, sum(local * ${K1 + 1} / (1 + ${saturation(statistics.local.length)} / times)) AS score`,
    `FROM (SELECT seq, id, words, local, ${times} AS times FROM (${parts.join(' UNION ALL ')}))`,
    `GROUP BY seq ORDER BY score DESC, id LIMIT ${bind(query.limit)}`,
  ].join(' ');
  const rows = read({ table: table.name, text, parameters });
  return rows.map(([id, score]) => ({ id: String(id), score: Number(score) }));
}

/** As in FTS5: a word in more than half of the rows gets the minimum weight. */
function idf(all: number, rows: number): number {
  const value = Math.log((all - rows + 0.5) / (rows + 0.5));
  return value > 0 ? value : 1e-6;
}

/** `+` keeps SQLite from starting with the field's index where the text index must come first. */
function amongText(target: Target, { field, values }: Among, bind: (value: SqlValue) => string, sign = ''): string {
  const list = bind(JSON.stringify(values.map((value) => encode(target.table, field, value))));
  return target.dialect.inList(`${sign}t.${quoted(field)}`, list, 'text');
}

const K1 = 1.2;
const B = 0.75;

/**
 * The word count of a row. Nearly all rows have fewer than 128 words, stored as one byte that SQLite can read itself.
 */
function lengthOf(size: string): string {
  return `CASE length(${size}) WHEN 1 THEN unicode(CAST(${size} AS TEXT)) ELSE word_count(${size}) END`;
}

/** The number of bytes of the varint. */
function sizeOfNumber(bytes: Uint8Array): number {
  const last = bytes.findIndex((byte) => byte < 0x80);
  return last + 1;
}

import { storableText } from '../../../../model/text.js';
import type { Among, Condition, Table, TextQuery, Value } from '../../contract.js';
import { type Collection, type Document, filterOf } from './documents.js';

/**
 * The terms of a row: each word once, indexed, with its count if it occurs more than once. A search queries one word at
 * a time and receives only matching rows; the ranking is done here.
 */
export function termsDocument(id: string, terms: Value | undefined): Document[] {
  if (terms === undefined) return [];
  if (typeof terms !== 'string') throw new Error('search terms must be text');
  const all = storableText(terms)
    .split(' ')
    .filter((term) => term !== '');
  const counts = new Map<string, number>();
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
  const often = [...counts].filter(([, count]) => count > 1).map(([word, count]) => [keyOf(word), count]);
  return [{ _id: id, length: all.length, words: [...counts.keys()], often: Object.fromEntries(often) }];
}

/** Words queried concurrently. */
const AT_ONCE = 8;

/** BM25 with SQLite's constants (k1 1.2, b 0.75, idf at least 1e-6), so that every store ranks alike. */
export async function searchTerms(
  { table, rows, terms }: Searched,
  query: TextQuery,
): Promise<{ id: string; score: number }[]> {
  if (table.terms === undefined) throw new Error(`table ${table.name} has no search terms`);
  if (!Number.isSafeInteger(query.limit) || query.limit < 0)
    throw new Error('a limit must be a whole number of at least 0');
  const words = [...new Set(query.terms.flatMap((term) => storableText(term).split(' ')))].filter(
    (word) => word !== '',
  );
  if (words.length === 0 || query.limit === 0) return [];
  const pass = (ids: string[]) => passing(table, rows, { ids, where: query.where ?? [] });
  if (query.runs !== undefined) return firstThatPass(await rowsWithAll(terms, query.runs.flat()), query, pass);
  const among = query.among && (await hasOthers(rows, query.among)) ? query.among : undefined;
  const isOurs = async (ids: string[]): Promise<Set<string>> =>
    among === undefined ? new Set(ids) : passing(table, rows, { ids, where: [inAmong(among)] });
  const size = among === undefined ? await sizeOf(terms) : await sizeAmong({ table, rows, terms }, among);
  const scores = new Map<string, number>();
  for (let from = 0; from < words.length; from += AT_ONCE) {
    const asked = words.slice(from, from + AT_ONCE);
    const everywhere = await Promise.all(asked.map((word) => rowsWith(terms, word)));
    const found = await Promise.all(everywhere.map((hits) => keep(hits, isOurs)));
    for (const hits of found) {
      const idf = Math.max(Math.log((size.rows - hits.length + 0.5) / (hits.length + 0.5)), 1e-6);
      for (const { id, length, count } of hits) {
        const part = (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / size.length));
        scores.set(id, (scores.get(id) ?? 0) + part);
      }
    }
  }
  const ranked = [...scores].map(([id, score]) => ({ id, score })).sort(bestFirst);
  return firstThatPass(ranked, query, pass);
}

function bestFirst(one: { id: string; score: number }, other: { id: string; score: number }): number {
  return other.score - one.score || (one.id < other.id ? -1 : 1);
}

/** Checks the best candidates first and stops when there are enough. */
async function firstThatPass<Hit extends { id: string }>(
  ranked: readonly Hit[],
  { limit }: TextQuery,
  pass: (ids: string[]) => Promise<Set<string>>,
): Promise<Hit[]> {
  const kept: Hit[] = [];
  for (let from = 0; from < ranked.length && kept.length < limit; from += CANDIDATES_AT_ONCE) {
    const candidates = ranked.slice(from, from + CANDIDATES_AT_ONCE);
    const passed = await pass(candidates.map(({ id }) => id));
    kept.push(...candidates.filter(({ id }) => passed.has(id)));
  }
  return kept.slice(0, limit);
}

async function passing(
  table: Table,
  rows: Collection,
  { ids, where }: { ids: string[]; where: readonly Condition[] },
): Promise<Set<string>> {
  const filter = { $and: [{ _id: { $in: ids } }, filterOf(table, where)] };
  const found = await rows.find(filter, { projection: { _id: 1 } }).toArray();
  return new Set(found.map(({ _id }) => _id));
}

async function rowsWith(terms: Collection, word: string): Promise<{ id: string; length: number; count: number }[]> {
  const key = keyOf(word);
  const found = await terms.find({ words: word }, { projection: { length: 1, [`often.${key}`]: 1 } }).toArray();
  return found.map(({ _id, length, often }) => {
    const counts = often as Record<string, number> | undefined;
    return { id: _id, length: Number(length), count: counts?.[key] ?? 1 };
  });
}

/** Of rows with all the words, shorter ones score higher. */
async function rowsWithAll(terms: Collection, wanted: readonly string[]): Promise<{ id: string; score: number }[]> {
  const words = [...new Set(wanted.flatMap((term) => storableText(term).split(' ')))].filter((word) => word !== '');
  const filter = { $and: words.map((word) => ({ words: word })) };
  const found = await terms.find(filter, { projection: { length: 1 } }).toArray();
  return found.map(({ _id, length }) => ({ id: _id, score: 1 / Math.max(1, Number(length)) })).sort(bestFirst);
}

/** Two separate queries: given two sums in one, FerretDB returns only the first. */
async function sizeOf(terms: Collection): Promise<{ rows: number; length: number }> {
  const rows = await terms.countDocuments({}, {});
  const group = { $group: { _id: null, length: { $sum: '$length' } } };
  const [found] = await terms.aggregate<{ length: number }>([group], {}).toArray();
  return { rows, length: Number(found?.length ?? 0) / Math.max(rows, 1) };
}

/** Field names may contain neither a dot nor a dollar sign. */
function keyOf(word: string): string {
  return Buffer.from(word).toString('base64url');
}

/** What a text search reads: a table's rows and the collection of their terms. */
interface Searched {
  table: Table;
  rows: Collection;
  terms: Collection;
}

/** Statistics over some of the rows, used when there are others. */
const CANDIDATES_AT_ONCE = 1_000;

/** Keeps only hits among the rows that the statistics cover. */
async function keep<Hit extends { id: string }>(
  hits: readonly Hit[],
  isOurs: (ids: string[]) => Promise<Set<string>>,
): Promise<Hit[]> {
  const kept: Hit[] = [];
  for (let from = 0; from < hits.length; from += CANDIDATES_AT_ONCE) {
    const candidates = hits.slice(from, from + CANDIDATES_AT_ONCE);
    const ours = await isOurs(candidates.map(({ id }) => id));
    kept.push(...candidates.filter(({ id }) => ours.has(id)));
  }
  return kept;
}

async function hasOthers(rows: Collection, { field, values }: Among): Promise<boolean> {
  const sorted = [...new Set(values)].sort();
  // Range queries between the values instead of `$nin`: each is a short index look-up.
  const gaps = [undefined, ...sorted].map((low, at) => {
    const high = sorted[at];
    return { [field]: { ...(low === undefined ? {} : { $gt: low }), ...(high === undefined ? {} : { $lt: high }) } };
  });
  const filter = { $or: gaps };
  return (
    (
      await rows
        .find(filter, { projection: { _id: 1 } })
        .limit(1)
        .toArray()
    ).length > 0
  );
}

function inAmong({ field, values }: Among): Condition {
  return { field, is: 'in', value: values };
}

/** Sample size for the average row length. */
const ROWS_MEASURED = 1_000;

async function sizeAmong({ table, rows, terms }: Searched, among: Among): Promise<{ rows: number; length: number }> {
  const filter = filterOf(table, [inAmong(among)]);
  const count = await rows.countDocuments(filter, {});
  const first = rows
    .find(filter, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(ROWS_MEASURED);
  const ids = (await first.toArray()).map(({ _id }) => _id);
  const measured = await terms.find({ _id: { $in: ids } }, { projection: { length: 1 } }).toArray();
  const words = measured.reduce((sum, { length }) => sum + Number(length), 0);
  return { rows: count, length: words / Math.max(measured.length, 1) };
}

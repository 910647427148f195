import type { Among, Condition, Table } from '../../contract.js';
import type { Collection } from './client.js';
import { filterOf } from './documents.js';

/** What a text search reads: the rows of a table and the collection of their terms. */
export interface Searched {
  table: Table;
  rows: Collection;
  terms: Collection;
}

/** Statistics of some rows alone, where there are others beside them. */
export const CANDIDATES_AT_ONCE = 1_000;

/** The hits among the rows whose statistics count; the others are nobody's business here. */
export async function keep<Hit extends { id: string }>(
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

export async function hasOthers(rows: Collection, { field, values }: Among): Promise<boolean> {
  const sorted = [...new Set(values)].sort();
  // Between the values, and not `$nin`: each is a short look into the index.
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

export function inAmong({ field, values }: Among): Condition {
  return { field, is: 'in', value: values };
}

/** Enough rows to know how long one is on average. */
const ROWS_MEASURED = 1_000;

export async function sizeAmong(
  { table, rows, terms }: Searched,
  among: Among,
): Promise<{ rows: number; length: number }> {
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

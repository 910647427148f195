import type { Table, VectorQuery } from '@lancedb/lancedb';
import type { Distance, Hit, Where } from '../../contract.js';
import { compareHits, eachOnce, settle } from '../../shared/nearest.js';
import { isOneOf } from './rows.js';

/** A scan of this many rows takes about as long as asking the index, and is exact. */
export const SCAN_ROWS = 20_000;
/** Extra rows requested, so that a few duplicates or ties at the end need no second query. */
const SPARE_ROWS = 16;
/** Where more rows than this tie at the end of the answer, which of them come is LanceDB's choice. */
const MOST_ROWS = 10_000;

export interface SearchedTable {
  table: Table;
  distance: Distance;
  /** Absent: scan every row of the scopes. */
  index: { probes: number } | undefined;
}

/** What LanceDB calls our distances: it answers l2 squared, cosine and dot as one minus it. */
const measures = {
  cosine: { type: 'cosine', ours: (theirs: number) => theirs }, // 1 - cos
  l2: { type: 'l2', ours: (theirs: number) => Math.sqrt(theirs) }, // root of |a - b|²
  inner_product: { type: 'dot', ours: (theirs: number) => theirs }, // 1 - dot
} as const satisfies Record<Distance, { type: 'cosine' | 'l2' | 'dot'; ours: (theirs: number) => number }>;

export function lanceDistance(distance: Distance): 'cosine' | 'l2' | 'dot' {
  return measures[distance].type;
}

export async function searchTable(
  searched: SearchedTable,
  vector: Float32Array,
  { limit, where }: { limit: number; where: Where },
): Promise<Hit[]> {
  if (limit <= 0 || where.ids?.length === 0 || where.conversationIds?.length === 0) return [];
  const filter = filterOf(where);
  const reach = await reachOf(searched, where);
  for (let rows = limit + SPARE_ROWS; ; rows *= 4) {
    const found = await nearestRows(searched, vector, { filter, reach, rows });
    const hits = eachOnce(found.toSorted(compareHits));
    const cutsTies = hits.at(limit - 1)?.distance === found.at(-1)?.distance;
    const complete = found.length < rows || (hits.length >= limit && !cutsTies);
    if (complete || rows >= MOST_ROWS) return hits.slice(0, limit);
  }
}

/** How a query finds its candidates: every filtered row, or this many partitions of the index. */
export type Reach = { kind: 'scan' } | { kind: 'index'; probes: number };

/**
 * The index divides all rows, so the few rows of a narrow filter lie mostly in partitions that are not probed: a
 * tenant beside a large one would miss most of its own points. Narrow filters are therefore scanned.
 */
async function reachOf({ table, index }: SearchedTable, where: Where): Promise<Reach> {
  if (index === undefined || where.ids !== undefined || where.conversationIds !== undefined) return { kind: 'scan' };
  const rows = await table.countRows(isOneOf('scope', where.scopes));
  return rows < SCAN_ROWS ? { kind: 'scan' } : { kind: 'index', probes: index.probes };
}

export async function nearestRows(
  { table, distance }: Pick<SearchedTable, 'table' | 'distance'>,
  vector: Float32Array,
  { filter, reach, rows }: { filter?: string; reach: Reach; rows: number },
): Promise<Hit[]> {
  const query = table.query().nearestTo(vector).distanceType(lanceDistance(distance));
  const reaching: VectorQuery = reach.kind === 'scan' ? query.bypassVectorIndex() : query.nprobes(reach.probes);
  // A `where` is applied before the search for the nearest, never to its result.
  const filtered = filter === undefined ? reaching : reaching.where(filter);
  const answer = await filtered.select(['id', '_distance']).limit(rows).toArrow();
  const ids = answer.getChild('id');
  const distances = answer.getChild('_distance');
  return Array.from({ length: answer.numRows }, (_, row) => ({
    id: String(ids?.get(row)),
    distance: settle(distance, measures[distance].ours(Number(distances?.get(row)))),
  }));
}

function filterOf({ scopes, conversationIds, ids }: Where): string {
  return [
    isOneOf('scope', scopes),
    ...(conversationIds === undefined ? [] : [isOneOf('conversation_id', conversationIds)]),
    ...(ids === undefined ? [] : [isOneOf('id', ids)]),
  ].join(' AND ');
}

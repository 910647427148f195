import { createTimeSlice } from '../../../../concurrency/yielding.js';
import type { Hit, IndexShape, Where } from '../../contract.js';
import { type DistanceTo, distanceFrom } from '../distance.js';
import { nearestOf } from '../nearest.js';
import { codedQuery } from './codes.js';
import type { Rows } from './rows.js';
import type { Scanner } from './scan/thread.js';

interface Searched {
  shape: IndexShape;
  rows: Rows;
  scanner: Scanner;
}

const ROWS_BETWEEN_LOOKS = 256;
/** So often rows may change under a scan before every row is measured instead. */
const SCANS = 3;

/** The exact answer. Few rows are measured here, many by a thread that leaves only the nearest to be measured again. */
export async function searchRows(
  { shape, rows, scanner }: Searched,
  vector: Float32Array,
  { limit, where }: { limit: number; where: Where },
): Promise<Hit[]> {
  const exact = distanceFrom(shape.distance, vector);
  const wanted = wantedRow(rows, where);
  const named = where.ids === undefined ? undefined : rows.placesOf(where.ids);
  if (named !== undefined || where.conversationIds !== undefined) {
    return nearestAmong(rows, { exact, limit, wanted, places: named });
  }
  const query = codedQuery(vector);
  const scopes = where.scopes.flatMap((scope) => rows.scopeNumber(scope) ?? []);
  for (let scan = 0; scan < SCANS; scan++) {
    const scanned = rows.codes.shared();
    if (scanned === undefined) break;
    const changes = rows.changes();
    const options = { rows: rows.end(), distance: shape.distance, limit, scopes };
    const places = await scanner.near(scanned, query, options);
    if (rows.changes() === changes) return nearestAmong(rows, { exact, limit, wanted, places });
  }
  return nearestAmong(rows, { exact, limit, wanted, places: undefined });
}

interface Asked {
  exact: DistanceTo;
  limit: number;
  wanted: (row: number) => boolean;
  /** The rows to look at; every row when absent. */
  places: ArrayLike<number> | undefined;
}

async function nearestAmong(rows: Rows, { exact, limit, wanted, places }: Asked): Promise<Hit[]> {
  const nearest = nearestOf(limit);
  await lookThrough(places?.length ?? rows.end(), (i) => {
    const row = places === undefined ? i : (places[i] ?? 0);
    const id = rows.ids[row];
    if (id !== undefined && wanted(row)) nearest.offer(id, rows.measured(row, exact));
  });
  return nearest.hits();
}

/** Rows keep their place while a scan lets others run, so a write between two slices neither hides nor doubles one. */
async function lookThrough(count: number, look: (i: number) => void): Promise<void> {
  const slice = createTimeSlice();
  for (let i = 0; i < count; i++) {
    look(i);
    if (i % ROWS_BETWEEN_LOOKS === 0 && slice.isOver()) await slice.yield();
  }
}

function wantedRow(rows: Rows, where: Where): (row: number) => boolean {
  const scopes = new Set<number | undefined>(where.scopes.flatMap((scope) => rows.scopeNumber(scope) ?? []));
  const conversations = where.conversationIds && new Set<string | undefined>(where.conversationIds);
  return (row) =>
    scopes.has(rows.scopes[row]) && (conversations === undefined || conversations.has(rows.conversationIds[row]));
}

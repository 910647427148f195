import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Distance, Hit, IndexShape, Where } from './contract.js';
import type { Rows } from './memory-rows.js';
import type { Scanner } from './scan/thread.js';
import { type DistanceTo, distanceFrom, squareOf } from './shared/distance.js';
import { nearestOf } from './shared/nearest.js';

interface Searched {
  shape: IndexShape;
  rows: Rows;
  scanner: Scanner;
}

const TURN_MILLISECONDS = 8;
const ROWS_BETWEEN_LOOKS = 256;
/** A scan in single precision may swap what lies closer together than a millionth: so many more are measured exactly. */
const SPARE_ROWS = 64;

/** The exact answer. Few rows are measured here, many by a thread that leaves only the nearest to be measured again. */
export async function searchRows(
  { shape, rows, scanner }: Searched,
  vector: Float32Array,
  { limit, where }: { limit: number; where: Where },
): Promise<Hit[]> {
  const exact = distanceFrom(shape.distance, vector);
  const wanted = wantedRow(rows, where);
  const named = where.ids === undefined ? undefined : rows.placesOf(where.ids);
  const block = rows.shared();
  if (block === undefined || named !== undefined || where.conversationIds !== undefined) {
    return nearestAmong(rows, { exact, limit, wanted, places: named });
  }
  const end = rows.end();
  const products = await scanner.products(block, vector, end);
  const about = fromProducts(shape.distance, { vector, products, squares: rows.squares });
  const near = nearestOf(limit + SPARE_ROWS);
  await inTurns(end, (row) => {
    const distance = about(row);
    // Nearly every row ends here, so nothing is asked before.
    if (!(distance <= near.farthest())) return;
    const id = rows.ids[row];
    if (id !== undefined && wanted(row)) near.offer(id, distance);
  });
  const places = rows.placesOf(near.hits().map(({ id }) => id));
  return nearestAmong(rows, { exact, limit, wanted, places });
}

interface Asked {
  exact: DistanceTo;
  limit: number;
  wanted: (row: number) => boolean;
  /** The rows to look at; every row when absent. */
  places: readonly number[] | undefined;
}

async function nearestAmong(rows: Rows, { exact, limit, wanted, places }: Asked): Promise<Hit[]> {
  const nearest = nearestOf(limit);
  await inTurns(places?.length ?? rows.end(), (i) => {
    const row = places === undefined ? i : (places[i] ?? 0);
    const id = rows.ids[row];
    if (id !== undefined && wanted(row)) nearest.offer(id, exact(rows.vectors(), row * rows.stride));
  });
  return nearest.hits();
}

/** Rows keep their place while a scan lets others run, so a write between two turns neither hides nor doubles one. */
async function inTurns(count: number, look: (i: number) => void): Promise<void> {
  let turnEnds = performance.now() + TURN_MILLISECONDS;
  for (let i = 0; i < count; i++) {
    look(i);
    if (i % ROWS_BETWEEN_LOOKS !== 0 || performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + TURN_MILLISECONDS;
  }
}

interface Products {
  vector: Float32Array;
  products: Float32Array;
  squares: readonly number[];
}

/** Distances that order the rows as the exact ones do, but for the last digits. NaN where there is none. */
function fromProducts(distance: Distance, { vector, products, squares }: Products): (row: number) => number {
  const square = squareOf(vector);
  const product = (row: number): number => products[row] ?? Number.NaN;
  const squareAt = (row: number): number => squares[row] ?? Number.NaN;
  if (distance === 'inner_product') return (row) => 1 - product(row);
  if (distance === 'cosine') return (row) => 1 - product(row) / Math.sqrt(square * squareAt(row));
  return (row) => square + squareAt(row) - 2 * product(row);
}

function wantedRow(rows: Rows, where: Where): (row: number) => boolean {
  const scopes = new Set<number | undefined>(where.scopes.flatMap((scope) => rows.scopeNumber(scope) ?? []));
  const conversations = where.conversationIds && new Set<string | undefined>(where.conversationIds);
  return (row) =>
    scopes.has(rows.scopes[row]) && (conversations === undefined || conversations.has(rows.conversationIds[row]));
}

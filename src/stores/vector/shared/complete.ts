import type { Distance, Hit, Where } from '../contract.js';
import { settle } from './distance.js';
import { compareHits, eachOnce } from './nearest.js';

/** Extra rows requested, so that a few ties at the end need no second query. */
const SPARE_ROWS = 16;

/** A scope of fewer rows is scanned: about as fast as asking an approximate index, and exact. */
export const SCAN_ROWS = 20_000;

/** No row can match: an empty filter list, or a limit of zero. */
export function matchesNothing({ limit, where }: { limit: number; where: Where }): boolean {
  return limit <= 0 || where.ids?.length === 0 || where.conversationIds?.length === 0;
}

export interface Asking {
  distance: Distance;
  limit: number;
  /** The most rows the service gives in one answer. Where more than these tie, which of them come is its choice. */
  most: number;
  /** Its nearest `rows` rows in our distance. */
  ask(rows: number): Promise<readonly Hit[]>;
}

/**
 * The answer of the contract from a service that breaks ties as it likes: the nearest `limit`, ties by id, each id once.
 * Asks again for more rows while equals may have been cut off at the end.
 */
export async function nearestComplete({ distance, limit, most, ask }: Asking): Promise<Hit[]> {
  for (let rows = Math.min(limit + SPARE_ROWS, most); ; rows = Math.min(rows * 4, most)) {
    const found = (await ask(rows)).map((hit) => ({ id: hit.id, distance: settle(distance, hit.distance) }));
    const hits = eachOnce(found.filter((hit) => !Number.isNaN(hit.distance)).toSorted(compareHits));
    const cutsTies = hits.at(limit - 1)?.distance === hits.at(-1)?.distance;
    const complete = found.length < rows || (hits.length >= limit && !cutsTies);
    if (complete || rows >= most) return hits.slice(0, limit);
  }
}

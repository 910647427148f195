import { createHash } from 'node:crypto';
import { invalidInput } from '../model/errors.js';

/** Where the next page begins: how deep the candidates were gathered, and how many of that depth were shown. */
export interface Position {
  depth: number;
  offset: number;
}

/** Where a page begins. `skip`: how many results to skip first, for a caller that counts them itself. */
export interface Start extends Position {
  skip?: number;
}

export const deepest = 10;

/** A deep offset is reached by walking through earlier results, so it is capped. */
export const farthestOffset = 10_000;

/** A cursor belongs to its query: with another query it would skip and repeat results, so it is rejected. */
export function encodeCursor(position: Position, request: unknown): string {
  return Buffer.from(`${position.depth}.${position.offset}.${digest(request)}`).toString('base64url');
}

/**
 * A cursor of ours, or a number of results to skip. Ours begins with a letter, because it is base64 that starts with a
 * digit.
 */
export function decodeCursor(cursor: string | undefined, request: unknown): Start {
  if (cursor === undefined) return { depth: 0, offset: 0 };
  if (/^\d+$/.test(cursor)) return { depth: 0, offset: 0, skip: offsetOf(cursor) };
  const [depth, offset, of] = Buffer.from(cursor, 'base64url').toString('utf8').split('.');
  if (!/^\d{1,2}$/.test(depth ?? '') || !/^\d{1,6}$/.test(offset ?? '') || Number(depth) > deepest) {
    throw invalidInput('cursor', 'must be a cursor from an earlier response, or the number of results to skip');
  }
  if (of !== digest(request)) throw invalidInput('cursor', 'belongs to another search; repeat that search to continue');
  return { depth: Number(depth), offset: Number(offset) };
}

function offsetOf(digits: string): number {
  const offset = Number(digits);
  if (offset > farthestOffset) throw invalidInput('cursor', `as a number must be at most ${farthestOffset}`);
  return offset;
}

function digest(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
}

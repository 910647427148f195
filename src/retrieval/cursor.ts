import { createHash } from 'node:crypto';
import { invalidInput } from '../model/errors.js';

/** Where the next page begins: how deep the candidates were gathered, and how many of that depth were shown. */
export interface Position {
  depth: number;
  offset: number;
}

export const deepest = 10;

/** A cursor belongs to its query: continued with another one it would skip and repeat, so it is refused. */
export function encodeCursor(position: Position, request: unknown): string {
  return Buffer.from(`${position.depth}.${position.offset}.${digest(request)}`).toString('base64url');
}

export function decodeCursor(cursor: string | undefined, request: unknown): Position {
  if (cursor === undefined) return { depth: 0, offset: 0 };
  const [depth, offset, of] = Buffer.from(cursor, 'base64url').toString('utf8').split('.');
  if (!/^\d{1,2}$/.test(depth ?? '') || !/^\d{1,6}$/.test(offset ?? '') || Number(depth) > deepest) {
    throw invalidInput('cursor', 'must be a cursor of an earlier answer');
  }
  if (of !== digest(request)) throw invalidInput('cursor', 'belongs to another search; repeat that search to go on');
  return { depth: Number(depth), offset: Number(offset) };
}

function digest(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
}

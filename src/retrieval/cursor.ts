import { createHash } from 'node:crypto';
import { invalidInput, notFoundAt } from '../model/errors.js';

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

const form = String.raw`[A-Za-z0-9_-]+\.[0-9a-f]{16}`;

/** The form of every cursor, as a JSON Schema pattern: a position, and a digest of it and of its request. */
export const cursorPattern = `^${form}$`;

/** The same, or a number of results to skip; cursors contain a dot, so the two cannot be confused. */
export const startPattern = String.raw`^(?:0*(?:\d{1,4}|${farthestOffset})|${form})$`;

/** A cursor belongs to its request: with another one it would skip and repeat results, so it is rejected. */
export function sealCursor(position: string, request: unknown): string {
  return `${Buffer.from(position).toString('base64url')}.${digest(position, request)}`;
}

/**
 * The position in a cursor. One that was never returned for this request is not found, like an id that nothing has:
 * only its form can be described to clients in advance.
 */
export function openCursor(cursor: string, request: unknown): string {
  const [position, seal] = new RegExp(cursorPattern).test(cursor) ? cursor.split('.') : [];
  if (position === undefined) throw invalidInput('cursor', 'must be a cursor from an earlier response');
  const text = Buffer.from(position, 'base64url').toString('utf8');
  if (seal !== digest(text, request)) throw unknownCursor();
  return text;
}

export function unknownCursor(): Error {
  return notFoundAt('cursor', 'belongs to another request; repeat that request to get its next page');
}

export function encodeCursor({ depth, offset }: Position, request: unknown): string {
  return sealCursor(`${depth} ${offset}`, request);
}

/** A cursor of ours, or a number of results to skip. */
export function decodeCursor(cursor: string | undefined, request: unknown): Start {
  if (cursor === undefined) return { depth: 0, offset: 0 };
  if (/^\d+$/.test(cursor)) return { depth: 0, offset: 0, skip: offsetOf(cursor) };
  if (!new RegExp(startPattern).test(cursor)) {
    throw invalidInput('cursor', 'must be a cursor from an earlier response, or the number of results to skip');
  }
  const [, depth, offset] = /^(\d{1,2}) (\d{1,6})$/.exec(openCursor(cursor, request)) ?? [];
  if (depth === undefined || Number(depth) > deepest) throw unknownCursor();
  return { depth: Number(depth), offset: Number(offset) };
}

function offsetOf(digits: string): number {
  const offset = Number(digits);
  if (offset > farthestOffset) throw invalidInput('cursor', `as a number must be at most ${farthestOffset}`);
  return offset;
}

function digest(position: string, request: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([position, request]))
    .digest('hex')
    .slice(0, 16);
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidInput } from '../model/errors.js';
import type { Service } from './service.js';

/** The last row of a page: the next page begins after it, whatever was added in between. */
export interface PageEnd {
  value: string;
  id: string;
}

/** A cursor belongs to its request: with another one it would skip and repeat rows, so it is rejected. */
export function encodeCursor(position: string, request: object): string {
  return Buffer.from(`${position} ${digest(request)}`).toString('base64url');
}

export function decodeCursor(cursor: string | undefined, request: object): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const at = text.lastIndexOf(' ');
  if (at < 1) throw badCursor();
  if (text.slice(at + 1) !== digest(request)) {
    throw invalidInput('cursor', 'belongs to another request; repeat that request to get its next page');
  }
  return text.slice(0, at);
}

export function encodePageEnd({ value, id }: PageEnd, request: object): string {
  return encodeCursor(`${value} ${id}`, request);
}

export function decodePageEnd(cursor: string | undefined, request: object): PageEnd | undefined {
  const position = decodeCursor(cursor, request);
  if (position === undefined) return undefined;
  const [, value, id] = /^(\S+) (\S+)$/.exec(position) ?? [];
  if (value === undefined || id === undefined) throw badCursor();
  return { value, id };
}

export function badCursor(): Error {
  return invalidInput('cursor', 'must be a cursor from an earlier response');
}

function digest(request: object): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
}

/**
 * A field for the number of results. It has no schema default, because only an explicit number beyond
 * `limits.max_top_k` is rejected; the default is capped. The documentation shows the default all the same.
 */
export function countField(usual: number, description: string) {
  return z.int().min(1).optional().meta({ default: usual }).describe(`${description}, at most limits.max_top_k (100)`);
}

/** The requested number within `limits.max_top_k`; without one, the default or the limit, whichever is lower. */
export function countWanted(
  { settings }: Pick<Service, 'settings'>,
  asked: number | undefined,
  { field, usual }: { field: 'top_k' | 'limit'; usual: number },
): number {
  const most = settings.limits.maxTopK;
  if (asked !== undefined && asked > most) throw invalidInput(field, `must be at most ${most}`);
  return asked ?? Math.min(usual, most);
}

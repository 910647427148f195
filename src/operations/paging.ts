import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidInput } from '../model/errors.js';
import type { Service } from './service.js';

/** The row a page ended with: the next one begins after it, whatever was added in between. */
export interface PageEnd {
  value: string;
  id: string;
}

/** A cursor belongs to its request: continued with another one it would skip and repeat, so it is refused. */
export function encodeCursor(position: string, request: object): string {
  return Buffer.from(`${position} ${digest(request)}`).toString('base64url');
}

export function decodeCursor(cursor: string | undefined, request: object): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const at = text.lastIndexOf(' ');
  if (at < 1) throw badCursor();
  if (text.slice(at + 1) !== digest(request)) {
    throw invalidInput('cursor', 'belongs to another request; repeat that one to go on');
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
  return invalidInput('cursor', 'must be a cursor of an earlier answer');
}

function digest(request: object): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
}

/**
 * A field that says how many results are wanted. Without a default of its own: whether the caller sent a number decides
 * whether one beyond `limits.max_top_k` is refused or capped. The documents show the default all the same.
 */
export function countField(usual: number, description: string) {
  return z.int().min(1).optional().meta({ default: usual }).describe(`${description}, at most limits.max_top_k (100)`);
}

/** What the caller asks for, within `limits.max_top_k`; who asks for nothing gets the usual number, or what is allowed. */
export function countWanted(
  { settings }: Pick<Service, 'settings'>,
  asked: number | undefined,
  { field, usual }: { field: 'top_k' | 'limit'; usual: number },
): number {
  const most = settings.limits.max_top_k;
  if (asked !== undefined && asked > most) throw invalidInput(field, `must be at most ${most}`);
  return asked ?? Math.min(usual, most);
}

import { createHash } from 'node:crypto';
import { invalidInput } from '../model/errors.js';

/** The row a page ended with: the next one begins after it, whatever was added in between. */
export interface PageEnd {
  value: string;
  id: string;
}

/** A cursor belongs to its request: continued with another one it would skip and repeat, so it is refused. */
export function encodePageEnd({ value, id }: PageEnd, request: unknown): string {
  return Buffer.from(JSON.stringify([digest(request), value, id])).toString('base64url');
}

export function decodePageEnd(cursor: string | undefined, request: unknown): PageEnd | undefined {
  if (cursor === undefined) return undefined;
  const parts = partsOf(cursor);
  if (parts === undefined) throw invalidInput('cursor', 'must be a cursor of an earlier answer');
  const [of, value, id] = parts;
  if (of !== digest(request)) throw invalidInput('cursor', 'belongs to another request; repeat that request to go on');
  return { value, id };
}

function partsOf(cursor: string): [string, string, string] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const complete = Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === 'string');
    return complete ? (parts as [string, string, string]) : undefined;
  } catch {
    // Not one of ours: the caller is told, nothing else depends on it.
    return undefined;
  }
}

function digest(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
}

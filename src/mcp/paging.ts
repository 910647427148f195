import { invalidParams } from './protocol-error.js';

/** One page of a list that does not change while the process lives, and the cursor of the next. */
export function pageOf<Item>(
  items: readonly Item[],
  cursor: string | undefined,
  size: number,
): { page: Item[]; next: { nextCursor: string } | Record<string, never> } {
  const from = cursor === undefined ? 0 : decode(cursor, items.length);
  const to = from + size;
  return { page: items.slice(from, to), next: to < items.length ? { nextCursor: encode(to) } : {} };
}

function encode(offset: number): string {
  return Buffer.from(`from:${offset}`).toString('base64url');
}

function decode(cursor: string, length: number): number {
  const offset = /^from:(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (offset === undefined || Number(offset) >= length) throw invalidParams('cursor is not one of this list');
  return Number(offset);
}

import { bestPlace, startBefore } from './highlight.js';

/** At most `length` characters around what was asked for; the head when there is none of it. */
export function snippetOf(text: string, queryTerms: readonly string[], length = 240): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if ([...flat.slice(0, 2 * length + 1)].length <= length) return flat;
  const before = Math.floor(length / 3);
  const start = startBefore(flat, bestPlace(flat, queryTerms, length - before) ?? 0, before);
  const room = length - (start > 0 ? 1 : 0) - 1;
  const body = [...flat.slice(start, start + 2 * room)].slice(0, room).join('');
  const reachesEnd = start + body.length >= flat.length;
  return `${start > 0 ? '…' : ''}${body.trimEnd()}${reachesEnd ? '' : '…'}`;
}

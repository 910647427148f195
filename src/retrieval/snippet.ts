import { indexTerms } from '../language/terms.js';

/** At most `length` characters around the first word that was asked for; the head when there is none. */
export function snippetOf(text: string, queryTerms: readonly string[], length = 240): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const characters = [...flat];
  if (characters.length <= length) return flat;
  const wanted = new Set(queryTerms);
  const start = startOf(flat, wanted, Math.floor(length / 3));
  const room = length - (start > 0 ? 1 : 0) - 1;
  const body = [...flat.slice(start)].slice(0, room).join('');
  const reachesEnd = start + body.length >= flat.length;
  return `${start > 0 ? '…' : ''}${body.trimEnd()}${reachesEnd ? '' : '…'}`;
}

/** A blank some way before the first wanted word, so that the snippet shows what it belongs to. */
function startOf(text: string, wanted: ReadonlySet<string>, before: number): number {
  for (const match of text.matchAll(/\S+/g)) {
    if (!indexTerms(match[0]).some((term) => wanted.has(term))) continue;
    if (match.index <= before) return 0;
    const blank = text.indexOf(' ', match.index - before);
    return blank < 0 || blank > match.index ? match.index : blank + 1;
  }
  return 0;
}

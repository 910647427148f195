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
    const [word] = match;
    if (!indexTerms(word).some((term) => wanted.has(term))) continue;
    const place = match.index + (word.length > before ? placeInside(word, wanted) : 0);
    if (place <= before) return 0;
    const blank = text.indexOf(' ', place - before);
    if (blank >= 0 && blank < place) return blank + 1;
    return place === match.index ? place : wholeCharacter(text, place - before);
  }
  return 0;
}

/** Scripts without blanks make one long word of a whole paragraph: what was asked for may be far inside it. */
function placeInside(word: string, wanted: ReadonlySet<string>): number {
  const lower = word.toLowerCase();
  const places = [...wanted].map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  return places.length === 0 ? 0 : Math.min(...places);
}

function wholeCharacter(text: string, start: number): number {
  const isSecondHalf = /[\uDC00-\uDFFF]/.test(text.charAt(start));
  return isSecondHalf ? start - 1 : start;
}

import type { SecretForm, SecretKind } from './secret-form.js';
import { secretForms } from './secret-forms.js';

export interface FoundSecrets {
  /** The text with `[redacted:<kind>]` in the place of each secret. */
  text: string;
  kinds: SecretKind[];
  count: number;
}

interface Span {
  start: number;
  end: number;
}

/** A part of a text that is secret. */
interface Place extends Span {
  kind: SecretKind;
}

/**
 * Looks for things that open doors: keys, tokens, private keys, passwords in addresses and assignments, card numbers.
 * By their form alone, so it finds what is written as such and misses what is not.
 */
export function findSecrets(text: string): FoundSecrets {
  const places = secretPlaces(text);
  let redacted = '';
  let from = 0;
  for (const { kind, start, end } of places) {
    redacted += text.slice(from, start) + markOf(kind);
    from = end;
  }
  const kinds = [...new Set(places.map(({ kind }) => kind))];
  return { text: redacted + text.slice(from), kinds, count: places.length };
}

export function markOf(kind: SecretKind): string {
  return `[redacted:${kind}]`;
}

export function isMark(text: string): boolean {
  return /^\[redacted:[a-z_]{1,20}\]$/.test(text);
}

const marker = /\[redacted:[a-z_]{1,20}\]/g;

/**
 * All of them in order. Every form looks at the text as it was sent, so that none takes the mark of another for a part of a
 * secret; where two overlap they are one, which the first form names.
 */
function secretPlaces(text: string): Place[] {
  const marks = [...text.matchAll(marker)].map(({ 0: mark, index }) => ({ start: index, end: index + mark.length }));
  const found = secretForms.flatMap((form, rank) => placesOf(text, form, marks).map((place) => ({ ...place, rank })));
  found.sort((one, other) => one.start - other.start || one.rank - other.rank);
  const places: (Place & { rank: number })[] = [];
  for (const place of found) {
    const before = places.at(-1);
    if (before === undefined || before.end <= place.start) places.push(place);
    else {
      const first = before.rank <= place.rank ? before : place;
      const end = Math.max(before.end, place.end);
      places[places.length - 1] = { kind: first.kind, rank: first.rank, start: before.start, end };
    }
  }
  return places;
}

/** Nothing that begins in a mark that stands there already, be it with its lead; and no mark cut in two. */
function placesOf(text: string, { kind, form, length }: SecretForm, marks: readonly Span[]): Place[] {
  const places: Place[] = [];
  form.lastIndex = 0;
  for (let match = form.exec(text); match !== null; match = form.exec(text)) {
    const start = match.index + (match.groups?.lead?.length ?? 0);
    const secret = match[0].slice(start - match.index);
    const size = length === undefined ? secret.length : length(secret, match);
    const marked = markAt(marks, match.index) ?? markAt(marks, start);
    if (size > 0 && marked === undefined) {
      const end = start + size;
      places.push({ kind, start, end: markAt(marks, end - 1)?.end ?? end });
    }
    // What is no secret may hold one: an address with a token in its query, say.
    form.lastIndex = Math.max(start + size, match.index + 1);
  }
  return places;
}

/** By halves: there may be as many marks as places. */
function markAt(marks: readonly Span[], position: number): Span | undefined {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  const mark = marks[low];
  return mark !== undefined && mark.start <= position ? mark : undefined;
}

import { foldedText, indexTermsOfWord, isUnspaced } from '../language/terms.js';

/** A part of a text, in UTF-16 code units, the end not included. */
export interface Span {
  start: number;
  end: number;
}

/** A cap on highlights, so that a response does not grow with how often a word is repeated. */
const mostSpans = 100;

const word = /[\p{L}\p{N}\p{M}]+(?:[-_.'’@:/+#][\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
/** The parts of an identifier: between its signs, and where a capital begins another word. */
const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+|\p{Lu}/gu;

/** Where a text holds one of the terms: whole words, the parts of identifiers, and runs of scripts without blanks. */
export function highlightsOf(text: string, terms: readonly string[], most = mostSpans): Span[] {
  if (terms.length === 0) return [];
  const wanted = new Set(terms);
  const unspaced = terms.filter(isUnspaced);
  const known = new Map<string, readonly Span[]>();
  const spans: Span[] = [];
  for (const match of text.matchAll(word)) {
    const [found] = match;
    const before = known.get(found);
    const inside = before ?? spansIn(found, wanted, unspaced);
    if (before === undefined) known.set(found, inside);
    for (const { start, end } of inside) spans.push({ start: match.index + start, end: match.index + end });
    if (spans.length >= most) break;
  }
  return spans.slice(0, most);
}

/** A word as most are: nothing in it to fold, to take apart or to read in another way. */
const plainWord = /^[A-Za-z][a-z]*$/;
const noSpans: readonly Span[] = [];

function spansIn(found: string, wanted: ReadonlySet<string>, unspaced: readonly string[]): readonly Span[] {
  if (plainWord.test(found)) {
    const isWanted = indexTermsOfWord(found.toLowerCase()).some((term) => wanted.has(term));
    return isWanted ? [{ start: 0, end: found.length }] : noSpans;
  }
  if (isUnspaced(found)) return joined(unspaced.flatMap((term) => placesOf(found, term)));
  const holds = (piece: string): boolean => indexTermsOfWord(foldedText(piece)).some((term) => wanted.has(term));
  const pieces = [...found.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
  const whole = { start: 0, end: found.length };
  if (pieces.length === 1) return holds(found) ? [whole] : partSpans(found, 0, holds);
  if (wanted.has(foldedText(found).replaceAll('’', "'"))) return [whole];
  return pieces.flatMap(({ 0: piece, index }) =>
    holds(piece) ? [{ start: index, end: index + piece.length }] : partSpans(piece, index, holds),
  );
}

/** `Debounce` in `useDebounce`. */
function partSpans(piece: string, at: number, holds: (part: string) => boolean): Span[] {
  const parts = [...piece.matchAll(part)];
  if (parts.length < 2) return [];
  return parts
    .filter(({ 0: each }) => each.length > 1 && holds(each))
    .map(({ 0: each, index }) => ({ start: at + index, end: at + index + each.length }));
}

function placesOf(text: string, term: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    places.push({ start: at, end: at + term.length });
  }
  return places;
}

/** Pairs of characters that overlap or follow each other are one mark. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}

/** How many matches are considered when choosing the best part of a long text. */
const mostWeighed = 5_000;

/** In a longer text the best part is the first one, unless there is one within this length. */
const longestWeighed = 200_000;

/**
 * Where the best part of a text begins: as many different words of the query as possible within `length`, and the rare
 * ones of this text before those that it repeats. Undefined when it holds none.
 */
export function bestPlace(text: string, terms: readonly string[], length: number): number | undefined {
  const early = highlightsOf(text.slice(0, longestWeighed), terms, mostWeighed);
  const spans = early.length > 0 || text.length <= longestWeighed ? early : highlightsOf(text, terms, 1);
  const words = spans.map(({ start, end }) => foldedText(text.slice(start, end)));
  const counts = new Map<string, number>();
  for (const each of words) counts.set(each, (counts.get(each) ?? 0) + 1);
  const inside = new Map<string, number>();
  let [worth, best, first] = [0, 0, 0];
  let place: number | undefined;
  for (const [last, { end }] of spans.entries()) {
    const added = words[last] ?? '';
    if (!inside.get(added)) worth += 1 / (counts.get(added) ?? 1);
    inside.set(added, (inside.get(added) ?? 0) + 1);
    while (first < last && end - (spans[first]?.start ?? 0) > length) {
      const gone = words[first] ?? '';
      inside.set(gone, (inside.get(gone) ?? 1) - 1);
      if (!inside.get(gone)) worth -= 1 / (counts.get(gone) ?? 1);
      first++;
    }
    if (worth > best + 1e-9) [best, place] = [worth, spans[first]?.start];
  }
  return place;
}

/** At most `length` code units of the text around its best part, from a blank on. */
export function excerptOf(text: string, terms: readonly string[], length = 240): Span {
  if (text.length <= length) return { start: 0, end: text.length };
  const start = startBefore(text, bestPlace(text, terms, (length * 2) / 3) ?? 0, Math.floor(length / 3));
  const end = Math.min(text.length, start + length);
  return { start, end: end < text.length ? wholeCharacter(text, end) : end };
}

/** A space some way before a position, so that the excerpt has context. */
export function startBefore(text: string, place: number, before: number): number {
  if (place <= before) return 0;
  const blank = text.slice(place - before, place).search(/\s/);
  return blank >= 0 ? place - before + blank + 1 : wholeCharacter(text, place - before);
}

function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;
}

import { singlingBlanks } from '../language/phrase.js';
import { foldedText, indexTermsOfWord, isUnspaced, portionsOf } from '../language/terms.js';
import { finished, type Steps } from '../model/steps.js';

/** A part of a text, in UTF-16 code units; the end is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A cap on highlights, so that a response does not grow with how often a word is repeated. */
const mostSpans = 100;

const word = /[\p{L}\p{N}\p{M}]+(?:[-_.'’@:/+#][\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
/** The parts of an identifier: between separators, and where a capital begins another word. */
const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+|\p{Lu}/gu;

/** Where a text contains one of the terms: whole words, parts of identifiers, and runs in scripts without spaces. */
export function highlightsOf(text: string, terms: readonly string[], most = mostSpans): Span[] {
  return finished(highlighting(text, terms, most));
}

/** The same in steps: a message may have a megabyte. */
export function* highlighting(text: string, terms: readonly string[], most = mostSpans): Steps<Span[]> {
  if (terms.length === 0) return [];
  const wanted = wantedOf(terms);
  const known = new Map<string, readonly Span[]>();
  const spans: Span[] = [];
  let [offset, read] = [0, 0];
  // In the same portions as the index: a megabyte without a space would be a single word and slow to search.
  for (const portion of portionsOf(text)) {
    for (const { 0: found, index } of portion.matchAll(word)) {
      const before = known.get(found);
      const inside = before ?? (yield* spansIn(found, wanted, most));
      if (before === undefined) known.set(found, inside);
      for (const { start, end } of inside) spans.push({ start: offset + index + start, end: offset + index + end });
      if (spans.length >= most) return spans.slice(0, most);
      if (++read % wordsPerStep === 0) yield;
    }
    offset += portion.length;
    yield;
  }
  return spans;
}

const wordsPerStep = 1_000;

interface Wanted {
  terms: ReadonlySet<string>;
  /** Terms of scripts without spaces, and their lengths in code units. */
  unspaced: ReadonlySet<string>;
  lengths: readonly number[];
}

function wantedOf(terms: readonly string[]): Wanted {
  const unspaced = new Set(terms.filter(isUnspaced));
  return { terms: new Set(terms), unspaced, lengths: [...new Set([...unspaced].map(({ length }) => length))] };
}

/** A plain word, which needs no folding or splitting. */
const plainWord = /^[A-Za-z][a-z]*$/;
const noSpans: readonly Span[] = [];

/**
 * The maximum length of a run that is folded: no term is longer than eighty letters, each with at most thirty marks.
 */
const longestFolded = 4_096;

const onePiece = /^[\p{L}\p{N}\p{M}]+(?:\+\+|#)?$/u;

function* spansIn(found: string, wanted: Wanted, most: number): Steps<readonly Span[]> {
  if (plainWord.test(found)) {
    const isWanted = indexTermsOfWord(found.toLowerCase()).some((term) => wanted.terms.has(term));
    return isWanted ? [{ start: 0, end: found.length }] : noSpans;
  }
  if (isUnspaced(found)) return yield* unspacedSpans(found, wanted, most);
  const holds = (piece: string): boolean =>
    indexTermsOfWord(foldedText(piece.slice(0, longestFolded))).some((term) => wanted.terms.has(term));
  const whole = { start: 0, end: found.length };
  if (onePiece.test(found)) return holds(found) ? [whole] : yield* partSpans(found, { at: 0, most, holds });
  if (wanted.terms.has(foldedText(found.slice(0, longestFolded)).replaceAll('’', "'"))) return [whole];
  const spans: Span[] = [];
  for (const { 0: piece, index } of found.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (holds(piece)) spans.push({ start: index, end: index + piece.length });
    else spans.push(...(yield* partSpans(piece, { at: index, most, holds })));
    if (spans.length >= most) break;
    yield;
  }
  return spans;
}

/** `Debounce` in `useDebounce`. */
function* partSpans(
  piece: string,
  { at, most, holds }: { at: number; most: number; holds: (part: string) => boolean },
): Steps<Span[]> {
  const parts = piece.matchAll(part);
  parts.next();
  if (parts.next().done === true) return [];
  const spans: Span[] = [];
  for (const { 0: each, index } of piece.matchAll(part)) {
    if (each.length > 1 && holds(each)) spans.push({ start: at + index, end: at + index + each.length });
    if (spans.length >= most) break;
    yield;
  }
  return spans;
}

/**
 * Where a run without spaces contains a term; overlapping and adjacent matches are merged. The cost depends on the
 * number of distinct term lengths, not on the number of terms.
 */
function* unspacedSpans(run: string, { unspaced, lengths }: Wanted, most: number): Steps<Span[]> {
  const spans: Span[] = [];
  /** Where the last match of each term ends, so that matches of one term do not overlap. */
  const ends = new Map<string, number>();
  for (let start = 0; start < run.length && spans.length <= most; start++) {
    for (const length of lengths) {
      const term = run.slice(start, start + length);
      if (!unspaced.has(term) || start < (ends.get(term) ?? 0)) continue;
      const end = start + length;
      ends.set(term, end);
      const last = spans.at(-1);
      if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
      else spans.push({ start, end });
    }
    if (start % unitsPerStep === 0) yield;
  }
  return spans;
}

const unitsPerStep = 8_192;

/** How many matches are considered when choosing the best part of a long text. */
const mostWeighed = 5_000;

/** In a longer text the best part is the first one, unless there is one within this length. */
const longestWeighed = 200_000;

/**
 * Where the best part of a text begins: the part of `length` with the most distinct words of the query, preferring
 * words that are rare in this text. Undefined when it contains none.
 */
function* findingBestPlace(text: string, terms: readonly string[], length: number): Steps<number | undefined> {
  const early = yield* highlighting(text.slice(0, longestWeighed), terms, mostWeighed);
  const spans = early.length > 0 || text.length <= longestWeighed ? early : yield* firstBeyond(text, terms);
  const words = spans.map(({ start, end }) => foldedText(text.slice(start, Math.min(end, start + longestFolded))));
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

/** The first match after the examined part, starting at the word that the cut may have split; nothing is read twice. */
function* firstBeyond(text: string, terms: readonly string[]): Steps<Span[]> {
  const nearby = text.slice(longestWeighed - longestFolded, longestWeighed);
  const from = longestWeighed - longestFolded + nearby.lastIndexOf(' ') + 1;
  const spans = yield* highlighting(text.slice(from), terms, 1);
  return spans.map(({ start, end }) => ({ start: from + start, end: from + end }));
}

/** At most `length` code units of the text around its best part, starting at a space; in steps. */
export function* findingExcerpt(text: string, terms: readonly string[], length = 240): Steps<Span> {
  if (text.length <= length) return { start: 0, end: text.length };
  const place = (yield* findingBestPlace(text, terms, (length * 2) / 3)) ?? 0;
  const start = startBefore(text, place, Math.floor(length / 3));
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

/**
 * At most `length` characters around the words of the query, in steps; the beginning of the text if it contains none.
 */
export function* findingSnippet(text: string, queryTerms: readonly string[], length = 240): Steps<string> {
  const flat = yield* singlingBlanks(text);
  if ([...flat.slice(0, 2 * length + 1)].length <= length) return flat;
  const before = Math.floor(length / 3);
  const start = startBefore(flat, (yield* findingBestPlace(flat, queryTerms, length - before)) ?? 0, before);
  const room = length - (start > 0 ? 1 : 0) - 1;
  const body = [...flat.slice(start, start + 2 * room)].slice(0, room).join('');
  const reachesEnd = start + body.length >= flat.length;
  return `${start > 0 ? '…' : ''}${body.trimEnd()}${reachesEnd ? '' : '…'}`;
}

import { indexTerms } from '../language/terms.js';
import type { Hit, WeightedTerm } from './hit.js';
import { type Sentence, sentencesOf } from './sentences.js';
import { thresholds } from './thresholds.js';

/** A slice of a text, word for word, and how it is shown: with an ellipsis where a long sentence was cut. */
export interface Slice {
  start: number;
  end: number;
  text: string;
  shown: string;
}

/** Behind the name in front of the turn, which is shown apart. */
export function textStart({ text, speaker }: Pick<Hit, 'text' | 'speaker'>): number {
  if (speaker === undefined || !text.trimStart().startsWith(`${speaker}:`)) return 0;
  return text.indexOf(':') + 1;
}

/** Farther into a text nobody looks for an answer. */
const searched = 50_000;

/** The sentences of a hit that may answer. */
export function sentencesIn(hit: Pick<Hit, 'text' | 'speaker'>): Sentence[] {
  return sentencesOf(hit.text.slice(0, searched), textStart(hit));
}

/** The text from one sentence to another; when that is too long, the part around the first word that was asked for. */
export function quoteFrom(
  text: string,
  { from, to, terms }: { from: Sentence; to: Sentence; terms: readonly WeightedTerm[] },
): Slice {
  const { start } = from;
  const { end } = to;
  if (end - start <= thresholds.sentence) {
    const slice = text.slice(start, end);
    return { start, end, text: slice, shown: slice.replace(/\s+/g, ' ') };
  }
  const cut = cutAround(text.slice(start, end), new Set(terms.map(({ term }) => term)));
  const slice = text.slice(start + cut.start, start + cut.end);
  const head = cut.start > 0 ? '…' : '';
  const tail = start + cut.end < end ? '…' : '';
  return {
    start: start + cut.start,
    end: start + cut.end,
    text: slice,
    shown: `${head}${slice.replace(/\s+/g, ' ')}${tail}`,
  };
}

function cutAround(text: string, wanted: ReadonlySet<string>): { start: number; end: number } {
  const words = [...text.matchAll(/\S+/g)];
  const first = words.find(([word]) => indexTerms(word).some((term) => wanted.has(term)))?.index ?? 0;
  const earliest = Math.max(0, first - Math.floor(thresholds.sentence / 3));
  const start = words.find(({ index }) => index >= earliest && index <= first)?.index ?? first;
  const limit = start + thresholds.sentence;
  if (limit >= text.length) return { start, end: text.length };
  const blank = text.lastIndexOf(' ', limit);
  return { start, end: wholeCharacter(text, blank > start ? blank : limit) };
}

/** Half a surrogate pair is no character. */
function wholeCharacter(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

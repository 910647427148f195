import { isInnerDot } from '../language/inner-dot.js';
import { alternatives, derived } from '../language/languages.js';
import { indexTerms } from '../language/terms.js';
import type { Hit } from '../model/hit.js';
import type { Steps } from '../model/steps.js';
import type { WeightedTerm } from './question.js';
import { thresholds } from './support.js';

/*
 * Splits texts into sentences and quotes hits in whole sentences.
 */

/** A verbatim slice of a text, and its display form: with an ellipsis where a long sentence was cut. */
export interface Slice {
  start: number;
  end: number;
  text: string;
  shown: string;
}

/** The offset after the speaker's name in front of the turn, which is displayed separately. */
export function textStart({ text, speaker }: Pick<Hit, 'text' | 'speaker'>): number {
  if (speaker === undefined || !text.trimStart().startsWith(`${speaker}:`)) return 0;
  return text.indexOf(':') + 1;
}

/** Text beyond this offset is not searched for an answer. */
const searched = 50_000;

/** The sentences of a hit that may answer. */
export function sentencesIn(hit: Pick<Hit, 'text' | 'speaker'>): Sentence[] {
  return sentencesOf(hit.text.slice(0, searched), textStart(hit));
}

/**
 * The text from one sentence to another; when that is too long, the part around the first word of the question. In
 * steps: a sentence may be as long as its message.
 */
export function* quoting(
  text: string,
  { from, to, terms }: { from: Sentence; to: Sentence; terms: readonly WeightedTerm[] },
): Steps<Slice> {
  const { start } = from;
  const { end } = to;
  if (end - start <= thresholds.sentence) {
    const slice = text.slice(start, end);
    return { start, end, text: slice, shown: slice.replace(/\s+/g, ' ') };
  }
  const cut = yield* cuttingAround(text.slice(start, end), new Set(terms.map(({ term }) => term)));
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

/** The limit for a run without spaces: the quote would not reach further. */
const longestWord = 1_000;

function* cuttingAround(text: string, wanted: ReadonlySet<string>): Steps<{ start: number; end: number }> {
  const words = [...text.matchAll(/\S+/g)];
  let first = 0;
  for (const { 0: word, index } of words) {
    if (indexTerms(word.slice(0, longestWord)).some((term) => wanted.has(term))) {
      first = index;
      break;
    }
    yield;
  }
  const earliest = Math.max(0, first - Math.floor(thresholds.sentence / 3));
  const start = words.find(({ index }) => index >= earliest && index <= first)?.index ?? first;
  const limit = start + thresholds.sentence;
  if (limit >= text.length) return { start, end: text.length };
  const blank = text.lastIndexOf(' ', limit);
  return { start, end: wholeCharacter(text, blank > start ? blank : limit) };
}

/** Moves an offset that would split a surrogate pair. */
function wholeCharacter(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/**
 * The quote of a hit: a short message whole; of a longer one, the sentences that contain the answer, with a neighbour
 * on either side as long as the quote stays short. A sentence alone often leaves out what it is about.
 */
export function* quotingAround(
  hit: Hit,
  span: { start: number; end: number } | undefined,
  { covering, terms }: { covering: (text: string) => Steps<number>; terms: readonly WeightedTerm[] },
): Steps<Slice> {
  const sentences = sentencesIn(hit);
  const begin = textStart(hit);
  const whole = { start: begin, end: hit.text.length, text: hit.text.slice(begin) };
  const [first = whole] = sentences;
  const last = sentences.at(-1) ?? whole;
  if (last.end - first.start <= thresholds.sentence) return yield* quoting(hit.text, { from: first, to: last, terms });
  const within = (place: { start: number; end: number }): { from: number; to: number } => ({
    from: sentences.findIndex(({ end }) => end > place.start),
    to: sentences.findLastIndex(({ start }) => start < place.end),
  });
  let { from, to } = span === undefined ? { from: -1, to: -1 } : within(span);
  if (from < 0 || to < from) from = to = yield* findingCovering(sentences, covering);
  const length = (one: number, other: number): number => (sentences[other]?.end ?? 0) - (sentences[one]?.start ?? 0);
  if (from > 0 && length(from - 1, to) <= thresholds.sentence) from--;
  if (to + 1 < sentences.length && length(from, to + 1) <= thresholds.sentence) to++;
  return yield* quoting(hit.text, { from: sentences[from] ?? first, to: sentences[to] ?? last, terms });
}

/** The index of the first sentence that covers most of the question. */
function* findingCovering(sentences: readonly Sentence[], covering: (text: string) => Steps<number>): Steps<number> {
  let best = { place: 0, share: -1 };
  for (const [place, { text }] of sentences.entries()) {
    const share = yield* covering(text);
    if (share > best.share) best = { place, share };
    yield;
  }
  return best.place;
}

/** A sentence as a slice of its text. */
export interface Sentence {
  start: number;
  end: number;
  text: string;
}

// Each run of punctuation is tried only once, from its beginning, and asides are capped, so matching is linear.
const ends = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|(?<=\S)\s+(?=\[[^\]]{0,200}\]\s*$)|[。！？]+[”’」』）]*|\n+/gu;

/** The sentences of a text in order, trimmed and without the leading speaker name. White space alone has none. */
export function sentencesOf(text: string, from = 0): Sentence[] {
  const sentences: Sentence[] = [];
  let start = from;
  const add = (end: number): void => {
    const raw = text.slice(start, end);
    const lead = raw.length - raw.trimStart().length;
    const body = raw.trim();
    if (/[\p{L}\p{N}]/u.test(body))
      sentences.push({ start: start + lead, end: start + lead + body.length, text: body });
    start = end;
  };
  for (const match of text.matchAll(ends)) {
    const end = match.index + match[0].length;
    if (
      end <= start ||
      (match[0] === '.' && isInnerDot(text, { from: start, dot: match.index, next: nextOf(text, end) }))
    )
      continue;
    add(end);
  }
  add(text.length);
  return sentences;
}

/** The next non-space offset on the line, or the end of the text: a dot before a line break ends its sentence. */
function nextOf(text: string, end: number): number {
  blanks.lastIndex = end;
  const next = end + (blanks.exec(text)?.[0].length ?? 0);
  return text[next] === '\n' ? text.length : next;
}

const blanks = /[^\S\n]*/uy;

/** Whether a sentence is a question. */
export function isAsking(sentence: string): boolean {
  return /[?？؟]["'”’)\]\s]*$/u.test(sentence);
}

/** Brackets in a transcript (a picture, laughter) describe something that was not spoken. */
export function isAside(sentence: string): boolean {
  return /^\[[^\]]*\]$/u.test(sentence);
}

/** "Yes, exactly!" is a reply whose content is in the turn before. */
export function isBareReply(sentence: string): boolean {
  return sentence.length <= 60 && bareReply().test(sentence);
}

const bareReply = derived(
  () =>
    new RegExp(
      `^["'“‘]?(?:${alternatives(({ answers }) => answers?.bareReplies)})(?![\\p{L}\\p{N}])[^.!?]{0,40}[.!?。！]*$`,
      'iu',
    ),
);

/** A hit with its neighbours and the reading model's outputs. */
export interface ReadHit {
  hit: Hit;
  before?: Hit;
  after?: Hit;
  /** The logit of "this message answers the question". */
  relevance: number;
  /** The logit of "it answers yes". */
  polarity: number;
  /** The words of the hit that answer best, and by how much they beat "no answer". */
  span?: { start: number; end: number; score: number };
}

/** A part of a hit that is read at once: about as much as fits into the model beside a question. */
export interface Excerpt {
  start: number;
  text: string;
}

const longestExcerpt = 400;
const mostExcerpts = 2;

/** A short message whole; of a long one, the parts that cover most of the question, in their order. */
export function* choosingExcerpts(
  hit: Pick<Hit, 'text' | 'speaker'>,
  coverageOf: (text: string) => number,
): Steps<Excerpt[]> {
  const { text } = hit;
  if (text.length <= longestExcerpt) return [{ start: 0, text }];
  const parts: Excerpt[] = [];
  for (const { start, end } of sentencesIn(hit)) {
    const last = parts.at(-1);
    if (last !== undefined && end - last.start <= longestExcerpt) last.text = text.slice(last.start, end);
    else parts.push({ start, text: text.slice(start, Math.min(end, start + longestExcerpt)) });
  }
  const covered: { part: Excerpt; place: number; share: number }[] = [];
  for (const [place, part] of parts.entries()) {
    covered.push({ part, place, share: coverageOf(part.text) });
    yield;
  }
  return covered
    .sort((one, other) => other.share - one.share || one.place - other.place)
    .slice(0, mostExcerpts)
    .sort((one, other) => one.place - other.place)
    .map(({ part }) => part);
}

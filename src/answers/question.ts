import type { Language, QuestionWords } from '../language/language.js';
import { derived, isUnspacedScript, languageByCode, languageOf, languages, wordSet } from '../language/languages.js';
import { functionWordsOf, type VerbForms } from '../language/query-terms.js';
import { queryTerms } from '../language/terms.js';
import { mentionsTime, timeIntent, timesSaid } from '../language/time/time-intent.js';
import type { Hit } from '../model/hit.js';
import type { Steps } from '../model/steps.js';
import { normalForm } from '../model/text.js';

/*
 * Determines what a question asks for, and whether a text contains something of that kind.
 */

export type QuestionKind = 'when' | 'where' | 'who' | 'how_many' | 'why' | 'yes_no' | 'what';

/** What a question asks for, according to its words. */
export interface Question {
  text: string;
  kind: QuestionKind;
  /** It asks for more than one thing. */
  isList: boolean;
  /** It asks about a former state rather than the current one. */
  asksPast: boolean;
  /** It asks about the current state rather than an event. */
  asksPresent: boolean;
  /** It asks about an event or a former state, so the newest statement is not necessarily the one that answers. */
  asksEvent: boolean;
  /** Names of people, places and things, as written, with their search terms. */
  names: readonly Name[];
  /** The terms of the times it names: they say when, not what. */
  timeTerms: ReadonlySet<string>;
  /** What those times can mean. */
  times: readonly TimeAsked[];
  /** It asks about a recurring weekday or month rather than a particular one. */
  isAnyTime: boolean;
  /** It asks about the past and names nothing but a time: it wants whatever was said then. */
  isTimeAlone: boolean;
  /** The past times it names, where it asks about a state or an event at that time. */
  pastTimes: readonly TimeAsked[];
}

/** A time in a question, in UTC; both ends are inclusive. */
export interface TimeAsked {
  from: string;
  to: string;
}

export interface Name {
  written: string;
  terms: readonly string[];
}

type Asks = (word: Exclude<keyof QuestionWords, 'number' | 'person'>) => boolean;

/** A time without its year or week is resolved with less certainty than this. */
const sureOfYear = 0.75;

/** A longer question is a document with a question before or after it. The limit bounds the time for hostile text. */
const longestRead = 1_000;

function headAndTail(text: string): string {
  if (text.length <= longestRead) return text;
  return `${text.slice(0, longestRead / 2)} ${text.slice(-longestRead / 2)}`;
}

/** In steps: a question of nothing but dates takes tens of milliseconds to read. */
export function* readingQuestion(whole: string, reference: string): Steps<Question> {
  const text = headAndTail(whole);
  const lower = normalForm(text, 'NFC').toLowerCase().replaceAll('’', "'").trim();
  const { spans, ...intent } = timeIntent(text, reference);
  yield;
  const phrases = spans.map(({ phrase }) => phrase);
  // The language of a question is not certain, so all are tried.
  const asks: Asks = (word) => languages().some(({ questions }) => questions?.[word]?.test(lower) === true);
  const asksWhen = intent.asksWhen || asks('when');
  const timeTerms = new Set(phrases.flatMap((phrase) => queryTerms(phrase)));
  const asksEvent = asks('past') || asks('event');
  const asksPresent = !asksEvent && !asksWhen;
  yield;
  const said = asksPresent ? timesSaid(text, reference) : [];
  yield;
  return {
    text: whole,
    kind: kindOf(asksWhen, asks),
    isList: asks('list'),
    asksPast: asks('past'),
    asksPresent,
    asksEvent,
    names: namesIn(text, phrases),
    timeTerms,
    times: [...spans, ...said].map(({ from, to }) => ({ from, to })),
    isAnyTime: asksPresent && spans.every(({ certainty }) => certainty < sureOfYear),
    isTimeAlone: !asksPresent && !asksWhen && asksTimeAlone(text, phrases),
    pastTimes: asksPresent ? [] : spans.filter(({ to }) => to < reference).map(({ from, to }) => ({ from, to })),
  };
}

/** The first match wins: "how many days ago did I …" asks when, "who lives where" asks who. */
function kindOf(asksWhen: boolean, asks: Asks): QuestionKind {
  if (asksWhen) return 'when';
  if (asks('howMany')) return 'how_many';
  if (asks('where')) return 'where';
  if (asks('why')) return 'why';
  if (asks('who')) return 'who';
  return asks('yesNo') ? 'yes_no' : 'what';
}

/**
 * Capitalized words other than the first of a sentence: the answer must mention them. German capitalizes every noun,
 * and headlines every word, so capitals mean nothing there.
 */
export function namesIn(text: string, timePhrases: readonly string[] = []): Name[] {
  const withoutTimes = timePhrases.reduce((rest, phrase) => rest.replace(phrase, ' '), text);
  const words = [...withoutTimes.matchAll(/[\p{L}\p{M}\p{N}'’-]+/gu)];
  const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word);
  const capitals = words.filter(([word]) => isCapital(word));
  if (languageByCode(languageOf(text))?.answers?.capitalNouns || capitals.length > Math.max(2, words.length * 0.6))
    return [];
  return capitals
    .filter(({ 0: word, index }) => !isFirst(withoutTimes, index) && !notNames().has(word.toLowerCase()))
    .map(([word]) => word.replace(/['’]s?$/u, ''))
    .filter((word, at, all) => word.length > 1 && all.indexOf(word) === at)
    .map((written) => ({ written, terms: queryTerms(written) }))
    .filter(({ terms }) => terms.length > 0);
}

/** The maximum number of signs and spaces between two sentences. */
const mostBetween = 64;

/** The first word of a text or sentence is capitalized for that reason alone. */
function isFirst(text: string, index: number): boolean {
  // There are only a few signs between two sentences; reading all of the text for every word would take too long.
  const start = Math.max(0, index - mostBetween);
  const before = text.slice(start, index);
  return (start === 0 && /^["'“‘(¿¡]*$/u.test(before)) || /[.!?:;]["'”’)]*\s+["'“‘(¿¡]*$/u.test(before);
}

/** Capitalized words that are not names. */
const notNames = derived(() => wordSet(({ answers }) => answers?.notNames));

/**
 * Whether a question contains times and no other search terms: "What did I say last week?". Words such as "say" or
 * "happen" occur in any text, so they do not help to find one.
 */
function asksTimeAlone(question: string, timePhrases: readonly string[]): boolean {
  if (timePhrases.length === 0) return false;
  const rest = timePhrases.reduce((text, phrase) => text.replace(phrase, ' '), question).toLowerCase();
  const language = languageOf(question);
  const small = new Set(functionWordsOf(language));
  const idle = whatever();
  const words = rest.replaceAll('’', "'").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => word.length === 1 || small.has(word) || idle.words.has(word) || idle.signs.test(word));
}

const whatever = derived((languages) => {
  const signs = languages.map(({ answers }) => answers?.whateverSigns ?? '').join('');
  return {
    words: wordSet(({ answers }) => answers?.whatever),
    // Chinese has no spaces: the characters that such questions consist of.
    signs: new RegExp(`^[${signs}]+$`, 'u'),
  };
});

/**
 * For a question about a time alone: the speaker's words from that time, newest first, instead of the most similar
 * ones.
 */
export function saidThen(hits: readonly Hit[], { asksAssistant }: { asksAssistant: boolean }): Hit[] {
  const own = hits.filter(
    ({ role, speaker }) => speaker !== undefined || role === (asksAssistant ? 'assistant' : 'user'),
  );
  const newestFirst = [...own].sort((one, other) => {
    if (one.at !== other.at) return one.at < other.at ? 1 : -1;
    return one.chunkIndex - other.chunkIndex;
  });
  // All of them are equally close to the question.
  return newestFirst.map((hit) => ({ ...hit, relevance: 1 }));
}

/** The maximum length that is read of a sentence as long as a page. */
const mostRead = 20_000;

/** Whether a text contains something of the requested kind. Undefined where any text could: why, what, yes or no. */
export function holdsAnswer(kind: QuestionKind, whole: string): boolean | undefined {
  const text = whole.slice(0, mostRead);
  switch (kind) {
    case 'when':
      return mentionsTime(text) || /\b(?:19|20)\d\d\b/.test(text);
    case 'how_many':
      return holdsNumber(text);
    case 'where':
      return patterns().place.test(text) || namesIn(text).length > 0;
    case 'who':
      return patterns().person.test(text) || namesIn(text).length > 0;
    case 'why':
    case 'yes_no':
    case 'what':
      return undefined;
    default:
      return kind satisfies never;
  }
}

export function holdsNumber(text: string): boolean {
  return /\p{N}/u.test(text) || patterns().quantity.test(text);
}

const patterns = derived((languages) => {
  const spaced = languages.filter(({ script }) => !isUnspacedScript(script));
  const unspaced = languages.filter(({ script }) => isUnspacedScript(script));
  const any = (among: readonly Language[], part: 'quantities' | 'placeLeads' | 'places' | 'people'): string =>
    among.flatMap(({ answers }) => answers?.[part] ?? []).join('|') || '(?!)';
  const word = (part: 'quantities' | 'places' | 'people'): string =>
    `(?<!\\p{L})(?:${any(spaced, part)})(?!\\p{L})|${any(unspaced, part)}`;
  return {
    quantity: new RegExp(word('quantities'), 'iu'),
    // A preposition of place followed by a word, or a word that is itself a place.
    place: new RegExp(`(?<!\\p{L})(?:${any(spaced, 'placeLeads')})\\s+\\p{L}|${word('places')}`, 'iu'),
    person: new RegExp(word('people'), 'u'),
  };
});

/** A term of the question and its weight: 0 for a word found in every second turn, more the rarer it is. */
export interface WeightedTerm {
  term: string;
  weight: number;
  /** The number of searched chunks that contain it, up to `mostCounted`. */
  count: number;
  /** The other forms of an irregular verb, which are equivalent. */
  forms?: VerbForms;
  /** Part of a time that the question names. */
  isTime?: true;
}

/** Chunks are counted up to this number; a more frequent word has almost no weight. */
export const mostCounted = 200;

/** A time says when rather than what, so its weight is capped at that of a medium-frequent word. */
export function weightOf(count: number, { isTime = false } = {}): number {
  const weight = Math.max(leastWeight, Math.log((mostCounted + 1) / (count + 0.5)));
  return isTime ? Math.min(weight, mostTimeWeight) : weight;
}

const leastWeight = 0.3;
const mostTimeWeight = 2;

/** One part of a compound question. */
export interface QuestionPart {
  /** The part as a standalone question. */
  text: string;
  /**
   * The search query: the whole question where the part alone does not say what it is about ("and what does he do?").
   */
  query: string;
}

/** Longer questions are documents and are not split. */
const longestSplit = 500;

/** A part with fewer content words of its own depends on the part before it. */
const ownWords = 2;

/**
 * Splits a compound question ("Which school is it, and when does it start?") into two; otherwise returns it unchanged.
 * A bare second half ("and where?") belongs to the first and is not a separate question.
 */
export function questionParts(question: string): QuestionPart[] {
  const whole = question.trim();
  const alone = [{ text: question, query: question }];
  if (whole.length > longestSplit) return alone;
  for (const { questions } of languages()) {
    const { second, asking } = questions ?? {};
    if (second === undefined || asking === undefined) continue;
    const found = second.exec(whole);
    if (found === null) continue;
    const before = whole.slice(0, found.index);
    const behind = whole.slice(found.index + found[0].length);
    const said = wordsSaid(behind, asking);
    if (!asking.test(before) || wordsSaid(before, asking).length === 0 || said.length === 0) continue;
    const first = asQuestion(before);
    const other = asQuestion(behind);
    const leans = isSpaced(said) && said.length < ownWords && namesIn(behind).length === 0;
    return [
      { text: first, query: first },
      { text: other, query: leans ? whole : other },
    ];
  }
  return alone;
}

/** The content words of a part. */
function wordsSaid(part: string, asking: RegExp): string[] {
  const words = part.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !functionWords().has(word) && word.replace(asking, '') !== '');
}

const functionWords = derived(() => wordSet(({ words }) => words?.functionWords));

/** Scripts without spaces put a whole sentence into one word. */
function isSpaced(words: readonly string[]): boolean {
  return !words.some((word) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word));
}

function asQuestion(part: string): string {
  const words = part.replace(/[\s,;，、；،?？؟]+$/u, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}?`;
}

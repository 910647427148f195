import type { Language, QuestionWords } from '../language/language.js';
import { derived, isUnspacedScript, languageByCode, languageOf, languages, wordSet } from '../language/languages.js';
import { functionWordsOf } from '../language/query-terms.js';
import { queryTerms } from '../language/terms.js';
import { mentionsTime, timeIntent, timesSaid } from '../language/time/time-intent.js';
import { normalForm } from '../model/text.js';
import type { Hit } from './hit.js';

/*
 * What a question asks for, and whether a text holds something of that kind.
 */

export type QuestionKind = 'when' | 'where' | 'who' | 'how_many' | 'why' | 'yes_no' | 'what';

/** What a question asks for, read off its words. */
export interface Question {
  text: string;
  kind: QuestionKind;
  /** It wants more than one thing. */
  isList: boolean;
  /** It asks for what was so before, not for what is so now. */
  asksPast: boolean;
  /** It asks for what is so, not for something that happened. */
  asksPresent: boolean;
  /** Names of people, places and things, as written, with their search terms. */
  names: readonly Name[];
  /** The terms of the times it names: they say when something was said, not what. */
  timeTerms: ReadonlySet<string>;
  /** What those times may mean. */
  times: readonly TimeAsked[];
  /** It asks for what is so on a weekday or in a month: any of them, as far as one can tell. */
  isAnyTime: boolean;
  /** It asks for what was, and names nothing but a time: what was said then is wanted. */
  isTimeAlone: boolean;
  /** The times it names that are over, where it asks for what was so or happened then. */
  pastTimes: readonly TimeAsked[];
}

/** A time that is asked about, in UTC; both ends belong to it. */
export interface TimeAsked {
  from: string;
  to: string;
}

export interface Name {
  written: string;
  terms: readonly string[];
}

type Asks = (word: Exclude<keyof QuestionWords, 'number' | 'person'>) => boolean;

/** A time that leaves out its year or week is read with less certainty than this. */
const sureOfYear = 0.75;

/** Longer ones are documents with a question in front or behind: more is not read. Hostile text would take minutes. */
const longestRead = 2_000;

function headAndTail(text: string): string {
  if (text.length <= longestRead) return text;
  return `${text.slice(0, longestRead / 2)} ${text.slice(-longestRead / 2)}`;
}

export function readQuestion(whole: string, reference: string): Question {
  const text = headAndTail(whole);
  const lower = normalForm(text, 'NFC').toLowerCase().replaceAll('’', "'").trim();
  const { spans, ...intent } = timeIntent(text, reference);
  const phrases = spans.map(({ phrase }) => phrase);
  // The language of a question is not known for sure, so all are tried.
  const asks: Asks = (word) => languages().some(({ questions }) => questions?.[word]?.test(lower) === true);
  const asksWhen = intent.asksWhen || asks('when');
  const timeTerms = new Set(phrases.flatMap((phrase) => queryTerms(phrase)));
  const asksPresent = !asks('past') && !asksWhen && !asks('event');
  return {
    text: whole,
    kind: kindOf(asksWhen, asks),
    isList: asks('list'),
    asksPast: asks('past'),
    asksPresent,
    names: namesIn(text, phrases),
    timeTerms,
    times: [...spans, ...(asksPresent ? timesSaid(text, reference) : [])].map(({ from, to }) => ({ from, to })),
    isAnyTime: asksPresent && spans.every(({ certainty }) => certainty < sureOfYear),
    isTimeAlone: !asksPresent && !asksWhen && asksTimeAlone(text, phrases),
    pastTimes: asksPresent ? [] : spans.filter(({ to }) => to < reference).map(({ from, to }) => ({ from, to })),
  };
}

/** The first that fits: "how many days ago did I …" asks when, "who lives where" asks who is where. */
function kindOf(asksWhen: boolean, asks: Asks): QuestionKind {
  if (asksWhen) return 'when';
  if (asks('howMany')) return 'how_many';
  if (asks('where')) return 'where';
  if (asks('why')) return 'why';
  if (asks('who')) return 'who';
  return asks('yesNo') ? 'yes_no' : 'what';
}

/**
 * Words with a capital, other than the first of a sentence: those the question cannot do without. German writes every
 * noun so, and a headline every word: there a capital says nothing.
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

/** The first word of the text or of a sentence has its capital for that alone. */
function isFirst(text: string, index: number): boolean {
  return /(?:^|[.!?:;]["'”’)]*\s+)["'“‘(¿¡]*$/u.test(text.slice(0, index));
}

/** Written with a capital without being anybody's name. */
const notNames = derived(() => wordSet(({ answers }) => answers?.notNames));

/**
 * Whether a question names times and nothing else to look for: "What did I say last week?". The words that only ask for
 * whatever was said or happened stand in any text, or in none that answers.
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
    // Chinese has no blanks: characters of which nothing but such a question is made.
    signs: new RegExp(`^[${signs}]+$`, 'u'),
  };
});

/** What was said at the time, in place of what is like the question: the asker's own words, newest first. */
export function saidThen(hits: readonly Hit[], { asksAssistant }: { asksAssistant: boolean }): Hit[] {
  const own = hits.filter(
    ({ role, speaker }) => speaker !== undefined || role === (asksAssistant ? 'assistant' : 'user'),
  );
  const newestFirst = [...own].sort((one, other) => {
    if (one.at !== other.at) return one.at < other.at ? 1 : -1;
    return one.chunkIndex - other.chunkIndex;
  });
  // None is nearer to the question than another.
  return newestFirst.map((hit) => ({ ...hit, relevance: 1 }));
}

/** Whether a text holds something of the kind that was asked for. Undefined where every text could: why, what, yes or no. */
export function holdsAnswer(kind: QuestionKind, text: string): boolean | undefined {
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
    // A preposition of place with something behind it, or a word that is itself a place.
    place: new RegExp(`(?<!\\p{L})(?:${any(spaced, 'placeLeads')})\\s+\\p{L}|${word('places')}`, 'iu'),
    person: new RegExp(word('people'), 'u'),
  };
});

import type { QuestionWords } from '../language/language.js';
import { languageOf } from '../language/language-of.js';
import { derived, languageByCode, languages, wordSet } from '../language/languages.js';
import { queryTerms } from '../language/terms.js';
import { timeIntent, timesSaid } from '../language/time/time-intent.js';
import { normalForm } from '../model/text.js';
import type { TimeAsked } from './facts-then.js';
import { asksTimeAlone } from './time-alone.js';

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
  const { asksWhen, spans } = timeIntent(text, reference);
  const phrases = spans.map(({ phrase }) => phrase);
  // The language of a question is not known for sure, so all are tried.
  const asks: Asks = (word) => languages().some(({ questions }) => questions?.[word]?.test(lower) === true);
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

import { plainLanguageOf } from '../language/languages.js';
import { nameTerms } from '../language/names.js';
import { holdsNumber } from '../language/query-terms.js';
import { mentionsTime } from '../language/time/time-intent.js';
import type { Candidate, QueryTraits } from './candidate.js';
import { askingShare, brevity, isQuestion } from './turns.js';

/** Neighbours of a candidate that were found too: keyword scores from 0 to 1. */
export interface Surroundings {
  keyword: number;
  /** How much of the query's words it holds in other forms. */
  likeness: number;
  /** How well the short turns that lead to it match. */
  lead: number;
  previous: { keyword: number; isQuestion: boolean } | undefined;
  next: { keyword: number } | undefined;
  /** How much the whole conversation is about the query, beside the best conversation. */
  conversation: number;
}

export interface FeatureInput {
  candidate: Candidate;
  query: QueryTraits;
  around: Surroundings;
  /** How like the query it is in meaning, as far as the model is trusted. */
  semantic: number;
  /** Another language than the query's, in which the answer may be. */
  otherLanguage?: string | undefined;
}

/**
 * Each feature is a number from -1 to 1 with one reason to exist; the weights decide how much it counts. Between people
 * a question holds no answer and the turn after it does; to an assistant a request often holds the very facts that are
 * asked for later. Features of the first kind therefore apply to turns with a speaker's name only.
 */
export const features = {
  /** The turn is by someone the query names, or by someone else. */
  speaker: ({ candidate, query }) => {
    if (candidate.speaker === undefined || query.people.size === 0) return 0;
    return nameTerms(candidate.speaker).some((term) => query.people.has(term)) ? 1 : -1;
  },
  /** "Did I …" wants the user's turns, "what did you suggest" the assistant's. */
  role: ({ candidate, query }) => {
    if (candidate.speaker !== undefined || query.role === undefined) return 0;
    return candidate.role === query.role ? 1 : -1;
  },
  /** The conversation as a whole is about it. */
  conversation: ({ around }) => around.conversation,
  /** Between people, what was said just before gives a short turn its subject. */
  previous: ({ candidate, around }) => (candidate.speaker === undefined ? 0 : (around.previous?.keyword ?? 0)),
  next: ({ candidate, around }) => (candidate.speaker === undefined ? 0 : (around.next?.keyword ?? 0)),
  /** The turn right after a matching question is its answer. */
  answer: ({ candidate, around }) =>
    candidate.speaker !== undefined && around.previous?.isQuestion ? around.previous.keyword : 0,
  /** With an assistant, a short turn answers the short one before it, whose words it need not repeat. */
  exchange: ({ candidate, around }) =>
    candidate.speaker === undefined && around.lead > 0 ? around.lead * brevity(candidate.text) : 0,
  /** Other forms of the query's words; a long turn holds any letters by chance. */
  likeness: ({ candidate, around }) =>
    candidate.speaker === undefined && around.likeness > 0 ? around.likeness * brevity(candidate.text) : 0,
  /** With an assistant too, a short turn that only asks tells nothing. */
  asking: ({ candidate }) => (candidate.speaker === undefined ? ifShort(candidate.text, askingShare) : 0),
  /** In a chat between people, a question does not answer another question. */
  question: ({ candidate }) => (candidate.speaker !== undefined && isQuestion(candidate.text) ? 1 : 0),
  /** Who types three words means each of them: "tap shut off" is rather "the tap was off" than "check the tap". */
  functionWords: ({ candidate, query }) =>
    candidate.bm25 === undefined ? 0 : (query.functionWords?.(beginningOf(candidate.text)) ?? 0),
  /** A "when" question prefers messages that mention a time. */
  namesTime: ({ candidate, query }) => (query.asksWhen && mentionsTime(beginningOf(candidate.text)) ? 1 : 0),
  /** A "how much" question prefers messages with a number. */
  holdsNumber: ({ candidate, query }) =>
    query.asksNumber ? ifShort(candidate.text, (text) => (holdsNumber(text) ? 1 : 0)) : 0,
  /** No word of the query can be found in another language, so meaning speaks for the words too. */
  acrossLanguages: ({ candidate, semantic, otherLanguage }) => {
    if (otherLanguage === undefined || candidate.bm25 !== undefined) return 0;
    return languageDetected(candidate) === otherLanguage ? semantic : 0;
  },
  /** The conversation took place at the time the query names. */
  timeFit: ({ candidate, query }) => query.timeFit(candidate.at),
  /** Between people, a longer turn tells more than "Wow, great!". */
  length: ({ candidate }) =>
    candidate.speaker === undefined ? 0 : Math.min(1, Math.log10(1 + candidate.text.length / 6) / 2),
} satisfies Record<string, (input: FeatureInput) => number>;

/** Hundreds of candidates are ranked at once, and each may have a megabyte. */
function beginningOf(text: string): string {
  return text.slice(0, 8_192);
}

/** Long messages are skipped: they are most of the text and would score zero. */
function ifShort(text: string, worth: (text: string) => number): number {
  const short = brevity(text);
  return short === 0 ? 0 : short * worth(text);
}

export type FeatureName = keyof typeof features;
export type Weights = Record<FeatureName, number>;

/*
 * Answers in another language than the question. People mostly ask in the language in which they talked, and a message in it
 * has the words for it; so messages in another language are only helped where meaning points to that language.
 */

/** A sentence or two tell a language, and hundreds of candidates are ranked at once. */
const detectedLength = 200;

/** The language that a candidate is plainly written in. */
function languageDetected({ text }: Candidate): string | undefined {
  return plainLanguageOf(text, detectedLength);
}

/** Of the messages nearest in meaning so many are looked at, and so many of them must be in one language. */
const nearestRead = 3;
const nearestNeeded = 2;

/**
 * The other language in which most of the messages nearest to a query are. Only where the deep index is used: without the
 * reading model, which reads the first results again, more answers in the query's own language would be lost than found.
 */
export function otherLanguageOf(candidates: readonly Candidate[], query: QueryTraits): string | undefined {
  if (query.language === undefined || !candidates.some(({ deep }) => deep !== undefined)) return undefined;
  const nearest = candidates
    .filter(({ distance }) => distance !== undefined)
    .toSorted((one, other) => (one.distance ?? 0) - (other.distance ?? 0))
    .slice(0, nearestRead)
    .map(languageDetected);
  return nearest.find(
    (language) =>
      language !== undefined &&
      language !== query.language &&
      nearest.filter((each) => each === language).length >= nearestNeeded,
  );
}

import { plainLanguageOf } from '../language/languages.js';
import { nameTerms } from '../language/names.js';
import { holdsNumber } from '../language/query-terms.js';
import { mentionsTime } from '../language/time/time-intent.js';
import type { Candidate, QueryTraits } from './candidate.js';
import { askingShare, brevity, isQuestion } from './turns.js';

/** Keyword scores of the candidate's neighbours that were found too, from 0 to 1. */
export interface Surroundings {
  keyword: number;
  /** How much of the query's words it contains in other forms. */
  likeness: number;
  /** How well the short messages that lead to it match. */
  lead: number;
  previous: { keyword: number; isQuestion: boolean } | undefined;
  next: { keyword: number } | undefined;
  /** How well the whole conversation matches the query, relative to the best conversation. */
  conversation: number;
}

export interface FeatureInput {
  candidate: Candidate;
  query: QueryTraits;
  around: Surroundings;
  /** Its similarity to the query, weighted by the trust in the model. */
  semantic: number;
  /** Another language than the query's, in which the answer may be. */
  otherLanguage?: string | undefined;
}

/**
 * Each feature is a number from -1 to 1 with one reason to exist; the weights decide how much it counts. Between
 * people, a question contains no answer and the message after it does; a request to an assistant often contains the
 * very facts that are asked for later. Features of the first kind therefore apply only to messages with a speaker's
 * name.
 */
export const features = {
  /** The message is by someone the query names, or by someone else. */
  speaker: ({ candidate, query }) => {
    if (candidate.speaker === undefined || query.people.size === 0) return 0;
    return nameTerms(candidate.speaker).some((term) => query.people.has(term)) ? 1 : -1;
  },
  /** "Did I …" asks for the user's messages, "what did you suggest" for the assistant's. */
  role: ({ candidate, query }) => {
    if (candidate.speaker !== undefined || query.role === undefined) return 0;
    return candidate.role === query.role ? 1 : -1;
  },
  /** The conversation as a whole matches. */
  conversation: ({ around }) => around.conversation,
  /** Between people, the message just before gives a short message its subject. */
  previous: ({ candidate, around }) => (candidate.speaker === undefined ? 0 : (around.previous?.keyword ?? 0)),
  next: ({ candidate, around }) => (candidate.speaker === undefined ? 0 : (around.next?.keyword ?? 0)),
  /** The message right after a matching question is its answer. */
  answer: ({ candidate, around }) =>
    candidate.speaker !== undefined && around.previous?.isQuestion ? around.previous.keyword : 0,
  /** With an assistant, a short message answers the short one before it without repeating its words. */
  exchange: ({ candidate, around }) =>
    candidate.speaker === undefined && around.lead > 0 ? around.lead * brevity(candidate.text) : 0,
  /** Other forms of the query's words; a long message contains any letters by chance. */
  likeness: ({ candidate, around }) =>
    candidate.speaker === undefined && around.likeness > 0 ? around.likeness * brevity(candidate.text) : 0,
  /** With an assistant too, a short message that only asks contains no answer. */
  asking: ({ candidate }) => (candidate.speaker === undefined ? ifShort(candidate.text, askingShare) : 0),
  /** Between people, a question does not answer another question. */
  question: ({ candidate }) => (candidate.speaker !== undefined && isQuestion(candidate.text) ? 1 : 0),
  /** In a query of three words, each counts: "tap shut off" means "the tap was off" rather than "check the tap". */
  functionWords: ({ candidate, query }) =>
    candidate.bm25 === undefined ? 0 : (query.functionWords?.(beginningOf(candidate.text)) ?? 0),
  /** A "when" question prefers messages that mention a time. */
  namesTime: ({ candidate, query }) => (query.asksWhen && mentionsTime(beginningOf(candidate.text)) ? 1 : 0),
  /** A "how much" question prefers messages with a number. */
  holdsNumber: ({ candidate, query }) =>
    query.asksNumber ? ifShort(candidate.text, (text) => (holdsNumber(text) ? 1 : 0)) : 0,
  /** A text in another language contains no word of the query, so its similarity also counts in place of the words. */
  acrossLanguages: ({ candidate, semantic, otherLanguage }) => {
    if (otherLanguage === undefined || candidate.bm25 !== undefined) return 0;
    return languageDetected(candidate) === otherLanguage ? semantic : 0;
  },
  /** The conversation took place at the time the query names. */
  timeFit: ({ candidate, query }) => query.timeFit(candidate.at),
  /** Between people, a longer message says more than "Wow, great!". */
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
 * Answers in another language than the question. People mostly ask in the language of the conversation, and a message
 * in that language contains the words; so messages in another language gain only if the nearest messages are in that
 * language.
 */

/** A sentence or two identify a language, and hundreds of candidates are ranked at once. */
const detectedLength = 200;

/** The language that a candidate is clearly written in. */
function languageDetected({ text }: Candidate): string | undefined {
  return plainLanguageOf(text, detectedLength);
}

/** The number of nearest messages examined, and how many of them must be in one language. */
const nearestRead = 3;
const nearestNeeded = 2;

/**
 * The other language in which most of the messages nearest to a query are. Only with the deep index: without the
 * reading model, which re-ranks the first results, more answers in the query's own language would be lost than gained
 * in others.
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

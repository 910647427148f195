import { plainLanguageOf } from '../language/languages.js';
import type { Candidate, QueryTraits } from './candidate.js';

/*
 * Answers in another language than the question. People mostly ask in the language in which they talked, and a message in it
 * has the words for it; so messages in another language are only helped where meaning points to that language.
 */

/** A sentence or two tell a language, and hundreds of candidates are ranked at once. */
const detectedLength = 200;

/** The language that a candidate is plainly written in. */
export function languageDetected({ text }: Candidate): string | undefined {
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

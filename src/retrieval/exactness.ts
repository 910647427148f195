import { containsText, containsWords, foldingWords, type Phrase, singleBlanks } from '../language/phrase.js';
import { finished, type Steps } from '../model/steps.js';

/**
 * How exactly a text holds the query: 0 not at all, 1 its words in order, 2 the same as they were typed; 3 and 4 when it
 * holds nothing else.
 */
export type Exactness = 0 | 1 | 2 | 3 | 4;

/** What one step of exactness adds to the relevance: more than everything else together can. */
export const exactStep = 10;

export function exactnessOf(text: string, phrase: Phrase): Exactness {
  return finished(judgingExactness(text, phrase));
}

/** The same in steps: a message may have a megabyte. */
export function* judgingExactness(text: string, phrase: Phrase): Steps<Exactness> {
  const words = yield* foldingWords(text);
  const isEqual = words === phrase.words;
  if (!isEqual && !containsWords(words, phrase.words)) return 0;
  yield;
  // A short query is keywords, not a quotation, so its exact spelling says nothing.
  const isTyped = phrase.isLong && containsText(singleBlanks(text), phrase.typed);
  if (isEqual) return isTyped ? 4 : 3;
  return isTyped ? 2 : 1;
}

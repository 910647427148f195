import { findingText, findingWords, foldingWords, type Phrase, singlingBlanks } from '../language/phrase.js';
import type { Role } from '../model/conversation.js';
import type { FoundChunk } from '../model/hit.js';
import type { Steps } from '../model/steps.js';

/** A found chunk before ranking, with what the stores said about it. */
export interface Candidate extends FoundChunk {
  /** Vector distance, lower is better; absent when the chunk is not in the vector index or no vector could be had. */
  distance?: number;
  /** How like the question it is by the reading model, -1 to 1; absent when it was not encoded or the deep index was not used. */
  deep?: number;
  /** BM25 of the full-text index, higher is better; absent when it was not among the keyword hits. */
  bm25?: number;
  /** The share of the query's terms found in its conversation's title, manual tags and summary. */
  metadataMatch: number;
  /** How exactly it holds the whole query; absent when it does not. */
  exactness?: Exactness;
}

/** What the ranker knows about a query besides its words and vector. */
export interface QueryTraits {
  /** It is long enough to be a quotation: of those who said it, the first one is meant. */
  isQuotation?: boolean;
  /** The names of speakers that the query holds. */
  people: ReadonlySet<string>;
  /** The language it is plainly written in; absent for names and single words, which are alike in many. */
  language?: string;
  /** Whose turns it asks for, in a conversation with an assistant. */
  role?: Role;
  /** What other forms of its words have in common with it. */
  pieces: readonly string[];
  /** The share of the function words of a few typed words that a text holds; absent where they make a sentence. */
  functionWords?: (text: string) => number;
  /** It asks how much, how many, how long. */
  asksNumber: boolean;
  /** It asks for a time. */
  asksWhen: boolean;
  /** How well a time fits those the query names, 0 to 1; always 0 when it names none. */
  timeFit: (at: string) => number;
}

/**
 * How exactly a text holds the query: 0 not at all, 1 its words in order, 2 the same as they were typed; 3 and 4 when it
 * holds nothing else.
 */
export type Exactness = 0 | 1 | 2 | 3 | 4;

/** What one step of exactness adds to the relevance: more than everything else together can. */
export const exactStep = 10;

/** In steps: a message may have a megabyte. */
export function* judgingExactness(text: string, phrase: Phrase): Steps<Exactness> {
  const words = yield* foldingWords(text);
  const isEqual = words === phrase.words;
  if (!isEqual && !(yield* findingWords(words, phrase.words))) return 0;
  yield;
  // A short query is keywords, not a quotation, so its exact spelling says nothing.
  const isTyped = phrase.isLong && (yield* findingText(yield* singlingBlanks(text), phrase.typed));
  if (isEqual) return isTyped ? 4 : 3;
  return isTyped ? 2 : 1;
}

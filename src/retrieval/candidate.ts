import { findingText, findingWords, foldingWords, type Phrase, singlingBlanks } from '../language/phrase.js';
import type { Role } from '../model/conversation.js';
import type { FoundChunk } from '../model/hit.js';
import type { Steps } from '../model/steps.js';
import type { Distance } from '../stores/vector/contract.js';

/** A found chunk before ranking, with what the stores said about it. */
export interface Candidate extends FoundChunk {
  /** Vector distance, lower is better; absent when the chunk or the query has no vector. */
  distance?: number;
  /**
   * Its similarity to the question by the reading model, -1 to 1; absent when it was not encoded or the deep index was
   * not used.
   */
  deep?: number;
  /** BM25 of the full-text index, higher is better; absent when it was not among the keyword hits. */
  bm25?: number;
  /** The share of the query's terms found in its conversation's title, manual tags and summary. */
  metadataMatch: number;
  /** How exactly it contains the whole query; absent when it does not. */
  exactness?: Exactness;
}

/** What the ranker knows about a query besides its words and vector. */
export interface QueryTraits {
  /** The query is long enough to be a quotation: of several messages that contain it, the first is meant. */
  isQuotation?: boolean;
  /** The names of speakers in the query. */
  people: ReadonlySet<string>;
  /** The language it is clearly written in; absent for names and single words, which many languages share. */
  language?: string;
  /** Whose messages it asks for, in a conversation with an assistant. */
  role?: Role;
  /** What the words of the query share with their other forms. */
  pieces: readonly string[];
  /** The share of the function words of a short query that a text contains; absent if the query is a sentence. */
  functionWords?: (text: string) => number;
  /** It asks how much, how many, how long. */
  asksNumber: boolean;
  /** It asks for a time. */
  asksWhen: boolean;
  /** How well a time fits those the query names, 0 to 1; always 0 when it names none. */
  timeFit: (at: string) => number;
}

/**
 * How exactly a text contains the query: 0 not at all, 1 its words in order, 2 the same as typed; 3 and 4 if it
 * contains nothing else.
 */
export type Exactness = 0 | 1 | 2 | 3 | 4;

/** What one step of exactness adds to the relevance: more than all other parts together. */
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

/** A distance as a similarity from 0 to 1, so that one set of weights serves every distance. */
export const similarityOf = {
  cosine: (distance) => clamp(1 - distance),
  inner_product: (distance) => clamp(1 - distance),
  // For vectors of length one the Euclidean distance d gives the cosine 1 - d²/2; for others it still falls with d.
  l2: (distance) => clamp(1 - distance ** 2 / 2),
} satisfies Record<Distance, (distance: number) => number>;

/** The score of a hit that has no vector (yet): as far away as an unrelated text. */
export const unrelatedDistance = { cosine: 1, inner_product: 1, l2: Math.SQRT2 } satisfies Record<Distance, number>;

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

import type { VerbForms } from '../language/query-terms.js';
import type { Role } from '../model/conversation.js';

/** A found chunk as the answer rules see it: its place, its words, who said it, when, and how it was found. */
export interface Hit {
  chunkId: string;
  conversationId: string;
  chunkIndex: number;
  messageIndex: number;
  role: Role;
  speaker?: string;
  text: string;
  /** When it was said, UTC. */
  at: string;
  /** The same as the message was sent with it; absent where it is the conversation's. */
  timestamp?: string;
  relevance: number;
  /** A reply that only repeats or praises: what it calls the thing counts as said. */
  echo?: string;
  /** Cut to fit a token budget. */
  truncated?: true;
  /** 0 to 1; absent when the model could not say. */
  similarity?: number;
}

/** A term of the question and how much it tells: 0 for a word of every second turn, more the rarer it is. */
export interface WeightedTerm {
  term: string;
  weight: number;
  /** In how many of the searched chunks it stands, as far as they were counted. */
  count: number;
  /** The other forms of an irregular verb, which say the same. */
  forms?: VerbForms;
  /** Part of a time that the question names. */
  isTime?: true;
}

/** Chunks are counted up to here; a word of so many turns tells next to nothing. */
export const mostCounted = 200;

/** A time tells when rather than what, so it never counts for more than a middling word. */
export function weightOf(count: number, { isTime = false } = {}): number {
  const weight = Math.max(leastWeight, Math.log((mostCounted + 1) / (count + 0.5)));
  return isTime ? Math.min(weight, mostTimeWeight) : weight;
}

const leastWeight = 0.3;
const mostTimeWeight = 2;

import type { Relation, State } from './labels.js';

/** A message as the reader sees it: who says it and what. */
export interface Said {
  speaker: string;
  text: string;
}

/** A message to read, with the ones before and after it where there are any. */
export interface Window {
  message: Said;
  before?: Said;
  after?: Said;
}

/** What the reader makes of one window for one question. */
export interface Reading {
  /** How likely the window answers, as the logit of a probability. */
  relevance: number;
  /** Whether it answers yes or no, as the logit of yes; means something only for a question that asks so. */
  polarity: number;
  /** The words of the message that answer best; absent where it found none in the message itself. */
  span?: { start: number; end: number; score: number };
}

/** A fact as the tagger reads it off a message; places are positions in the text. */
export interface TaggedFact {
  relation: Relation;
  state: State;
  value: { start: number; end: number };
  /** Who or what it is about; absent for the speaker. */
  subject?: { start: number; end: number };
  /** About somebody other than the speaker, whether or not a word for them was found. */
  isAboutOther: boolean;
  /** 0 to 1: the least sure of its parts. */
  confidence: number;
}

export interface Reader {
  /** One reading for each window. Questions go before messages to tag. */
  read(question: string, windows: readonly Window[], options?: { signal?: AbortSignal }): Promise<Reading[]>;
  /** How likely each window answers, as a logit. Costs half of `read` and finds no words. */
  rank(question: string, windows: readonly Window[], options?: { signal?: AbortSignal }): Promise<number[]>;
  /**
   * Ranks all windows and reads those that `choose` picks from their scores, by their places. Cheaper than `rank` and then
   * `read`: what ranking found out is not found out again. Other windows have no reading.
   */
  readChosen(
    question: string,
    windows: readonly Window[],
    choose: (scores: readonly number[]) => readonly number[],
    options?: { signal?: AbortSignal },
  ): Promise<(Reading | undefined)[]>;
  tag(message: string, before: string): Promise<TaggedFact[]>;
  /** The vector of a question, to be compared with those of messages. Goes before messages. */
  questionVector(question: string, options?: { signal?: AbortSignal }): Promise<Int8Array>;
  /** The vectors of messages, each of which is read with the one before it. */
  messageVectors(messages: readonly Omit<Window, 'after'>[]): Promise<Int8Array[]>;
  close(): Promise<void>;
}

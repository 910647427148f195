import type { Reading, TaggedFact, Window } from './contract.js';
import { createEncoder, type Encoder, maxTokens, readModelFile } from './encoder.js';
import {
  createSplitter,
  type RankedWindow,
  rankWindow,
  readWindow,
  type Special,
  type Splitter,
} from './read-windows.js';
import { tagMessage } from './tag-message.js';

/**
 * The model in the current thread. Reading a window takes tens of milliseconds, so a server runs it in a worker; see
 * `open.ts`.
 */
export interface ReadingModel {
  read(question: string, windows: readonly Window[]): Reading[];
  /** Does half of the work of reading; `read` on a ranked window does the other half. */
  rank(question: string, windows: readonly Window[]): RankedWindow[];
  tag(message: string, before: string): TaggedFact[];
  questionVector(question: string): Int8Array;
  messageVectors(messages: readonly Omit<Window, 'after'>[]): Int8Array[];
}

/** Throws `StartupError` when the file is missing or has an unknown format. */
export async function openModel(path: string): Promise<ReadingModel> {
  const file = await readModelFile(path);
  const encoder = await createEncoder(file);
  const split = createSplitter(file.vocabulary);
  const numberOf = (piece: string): number => file.vocabulary.indexOf(piece);
  const parts = { encoder, split, special: { begin: numberOf('[CLS]'), separator: numberOf('[SEP]') } };
  return {
    read(question, windows) {
      const asked = split(question);
      return windows.map((window) => readWindow(parts, asked, window));
    },
    rank(question, windows) {
      const asked = split(question);
      return windows.map((window) => rankWindow(parts, asked, window));
    },
    tag: (message, before) => tagMessage(parts, message, before),
    questionVector: (question) => questionVector(parts, question),
    messageVectors: (messages) => messages.map((message) => messageVector(parts, message)),
  };
}

// Must match the layout in `models/train/reader/search.py`, which the model was trained with.
const maxBefore = 28;
const charactersBefore = 120;

interface Parts {
  encoder: Encoder;
  split: Splitter;
  special: Special;
}

/** The int8 value of 1.0 in a quantized vector. */
const scale = 127;

function questionVector(parts: Parts, question: string): Int8Array {
  return vectorOf(parts, '', question);
}

/** Reads about the first hundred words of a message. */
function messageVector(parts: Parts, { message, before }: Omit<Window, 'after'>): Int8Array {
  const lead = before === undefined ? '' : `${before.speaker}: ${before.text.slice(-charactersBefore)}`;
  return vectorOf(parts, lead, `${message.speaker}: ${message.text}`);
}

/** The cosine similarity of two vectors, -1 to 1. */
export function likeness(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let axis = 0; axis < one.length; axis++) sum += (one[axis] ?? 0) * (other[axis] ?? 0);
  return sum / (scale * scale);
}

/** Quantized to int8: a quarter of the size, without a measurable change in ranking. */
function vectorOf({ encoder, split, special }: Parts, first: string, text: string): Int8Array {
  const context = split(first).slice(-maxBefore);
  const pieces = split(text).slice(0, maxTokens - context.length - 3);
  const numbers = (some: readonly { id: number }[]): number[] => some.map(({ id }) => id);
  const ids = [special.begin, ...numbers(context), special.separator, ...numbers(pieces), special.separator];
  return Int8Array.from(encoder.vector(ids, context.length + 2), (value) => Math.round(value * scale));
}

import type { Reading, TaggedFact, Window } from './contract.js';
import { createEncoder } from './encoder.js';
import { createSplitter } from './pieces.js';
import { type RankedWindow, rankWindow, readWindow } from './read-windows.js';
import { tagMessage } from './tag-message.js';
import { messageVector, questionVector } from './vectors.js';
import { readModelFile } from './weights.js';

/** The model, in this thread. Reading a window takes tens of milliseconds, so a server keeps it in a worker; see `open.ts`. */
export interface ReadingModel {
  read(question: string, windows: readonly Window[]): Reading[];
  /** Half of the work of reading; the other half is done by `read` of those that are worth it. */
  rank(question: string, windows: readonly Window[]): RankedWindow[];
  tag(message: string, before: string): TaggedFact[];
  questionVector(question: string): Int8Array;
  messageVectors(messages: readonly Omit<Window, 'after'>[]): Int8Array[];
}

/** Throws `StartupError` when the file is missing or not one of ours. */
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

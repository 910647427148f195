import { columns, type Reading, relations, states, type TaggedFact, type Window } from './contract.js';
import { createEncoder, type Encoder, maxTokens, readModelFile } from './encoder.js';
import {
  createSplitter,
  type RankedWindow,
  rankWindow,
  readWindow,
  type Special,
  type Splitter,
  wholeWords,
} from './read-windows.js';

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

/** Throws `StartupError` when the file is missing or has an unknown format. `cache` is a folder for an unpacked copy. */
export async function openModel(path: string, options: { cache?: string | undefined } = {}): Promise<ReadingModel> {
  const file = await readModelFile(path, options);
  const encoder = await createEncoder(file);
  // The file is not kept: the encoder has its own copy of it.
  const { vocabulary } = file;
  const split = createSplitter(vocabulary);
  const numberOf = (piece: string): number => vocabulary.indexOf(piece);
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

/** The facts that a message states, in the order of their values. Reads about the first hundred words. */
function tagMessage(
  { encoder, split, special }: { encoder: Encoder; split: Splitter; special: Special },
  message: string,
  before: string,
): TaggedFact[] {
  const context = split(before).slice(-maxBefore);
  const second = context.length + 2;
  const pieces = split(message).slice(0, maxTokens - context.length - 3);
  if (pieces.length === 0) return [];
  const ids = [
    special.begin,
    ...context.map(({ id }) => id),
    special.separator,
    ...pieces.map(({ id }) => id),
    special.separator,
  ];
  const { values, outputs } = encoder.run(ids, second, 'tagging');
  const rowOf = (piece: number): Float32Array =>
    values.subarray((second + piece) * outputs, (second + piece + 1) * outputs);
  const tags = pieces.map((_, piece) => shares(rowOf(piece), columns.tags, 1 + 2 * relations.length));
  const mentions = runs(
    pieces.map((_, piece) => best(shares(rowOf(piece), columns.subjects, 3))),
    (each) => each.at === 1,
  );
  return runs(tags.map(best), ({ at }) => at % 2 === 1).flatMap(({ from, to }) => {
    const head = best(tags[from] ?? []);
    const relation = relations[Math.floor((head.at - 1) / 2)];
    if (relation === undefined) return [];
    const state = best(mean(from, to, (piece) => shares(rowOf(piece), columns.states, states.length)));
    const other = meanOf(from, to, (piece) => 1 / (1 + Math.exp(-(rowOf(piece)[columns.others] ?? 0))));
    const sure = meanOf(from, to, (piece) => 1 - (tags[piece]?.[0] ?? 0));
    const subject = other > 0.5 ? nearest(mentions, from) : undefined;
    return [
      {
        relation,
        state: states[state.at] ?? 'holds',
        value: wholeWords(pieces, { from, to }),
        ...(subject === undefined ? {} : { subject: wholeWords(pieces, subject) }),
        isAboutOther: other > 0.5,
        confidence: Math.min(sure, head.share / Math.max(1e-6, 1 - (tags[from]?.[0] ?? 0)), state.share),
      },
    ];
  });
}

interface Best {
  at: number;
  share: number;
}

function best(values: readonly number[]): Best {
  let at = 0;
  for (let place = 1; place < values.length; place++) if ((values[place] ?? 0) > (values[at] ?? 0)) at = place;
  return { at, share: values[at] ?? 0 };
}

/** Runs of nonzero labels, each beginning where `begins` returns true or after a zero. */
function runs(labels: readonly Best[], begins: (label: Best) => boolean): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const [place, label] of labels.entries()) {
    if (label.at === 0) continue;
    const last = found.at(-1);
    const before = labels[place - 1];
    const continues = last !== undefined && before !== undefined && before.at !== 0 && !begins(label);
    if (continues) last.to = place;
    else found.push({ from: place, to: place });
  }
  return found;
}

function nearest(mentions: readonly { from: number; to: number }[], value: number) {
  const distance = ({ from }: { from: number }): number => (from <= value ? value - from : 2 * (from - value));
  return mentions.reduce<{ from: number; to: number } | undefined>(
    (chosen, each) => (chosen === undefined || distance(each) < distance(chosen) ? each : chosen),
    undefined,
  );
}

/** Softmax over `count` outputs starting at `begin`. */
function shares(row: Float32Array, begin: number, count: number): number[] {
  const values = Array.from(row.subarray(begin, begin + count));
  const most = Math.max(...values);
  const raised = values.map((value) => Math.exp(value - most));
  const total = raised.reduce((sum, value) => sum + value, 0);
  return raised.map((value) => value / total);
}

function mean(from: number, to: number, of: (piece: number) => number[]): number[] {
  const rows = Array.from({ length: to - from + 1 }, (_, step) => of(from + step));
  return (rows[0] ?? []).map((_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0) / rows.length);
}

function meanOf(from: number, to: number, of: (piece: number) => number): number {
  let sum = 0;
  for (let piece = from; piece <= to; piece++) sum += of(piece);
  return sum / (to - from + 1);
}

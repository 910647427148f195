import { columns, type Reading, type Said, type Window } from './contract.js';
import { type Begun, type Encoder, maxTokens, type Outputs } from './encoder.js';
import type { Piece, Splitter } from './pieces.js';

// Must match the layout in `models/train/reader/rows.py`, which the model was trained with.
const maxQuestion = 40;
const charactersBefore = 120;
const charactersAfter = 80;
const longestSpan = 24;

export interface Special {
  begin: number;
  separator: number;
}

interface Parts {
  encoder: Encoder;
  split: Splitter;
  special: Special;
}

/** A ranked window that can be read without repeating the ranking's work. */
export interface RankedWindow {
  /** How likely it answers, as a logit: half the cost of reading it, with nearly the same order. */
  score: number;
  read(): Reading;
}

/** Reads one window for a question that is already split into pieces. */
export function readWindow({ encoder, ...parts }: Parts, question: readonly Piece[], window: Window): Reading {
  const sequence = sequenceOf(parts, question, window);
  return readingOf(sequence, encoder.run(sequence.ids, sequence.second, 'reading'), window);
}

export function rankWindow({ encoder, ...parts }: Parts, question: readonly Piece[], window: Window): RankedWindow {
  const sequence = sequenceOf(parts, question, window);
  const begun: Begun = encoder.begin(sequence.ids, sequence.second);
  return {
    score: begun.values[columns.quick] ?? 0,
    read: () => readingOf(sequence, encoder.finish(begun), window),
  };
}

function readingOf({ second, pieces, begin }: Sequence, { values, outputs }: Outputs, window: Window): Reading {
  const at = (row: number, column: number): number => values[row * outputs + column] ?? 0;
  const [relevance, polarity] = [at(0, columns.relevance), at(0, columns.polarity)];
  const none = at(0, columns.start) + at(0, columns.end);
  const end = begin + window.message.text.length;
  let best: { from: number; to: number; score: number } | undefined;
  for (let from = 0; from < pieces.length; from++) {
    const first = pieces[from];
    if (first === undefined || first.start < begin || first.end > end) continue;
    const opens = at(second + from, columns.start);
    for (let to = from; to < Math.min(pieces.length, from + longestSpan); to++) {
      const last = pieces[to];
      if (last === undefined || last.end > end) break;
      const score = opens + at(second + to, columns.end);
      if (best === undefined || score > best.score) best = { from, to, score };
    }
  }
  if (best === undefined) return { relevance, polarity };
  const { start, end: stop } = wholeWords(pieces, best);
  return { relevance, polarity, span: { start: start - begin, end: stop - begin, score: best.score - none } };
}

interface Sequence {
  ids: number[];
  /** The index of the window's first token. */
  second: number;
  pieces: Piece[];
  /** The offset of the message in the window's text. */
  begin: number;
}

function sequenceOf({ split, special }: Omit<Parts, 'encoder'>, question: readonly Piece[], window: Window): Sequence {
  const asked = question.slice(0, maxQuestion);
  const { text, begin } = layOut(window);
  const pieces = split(text).slice(0, maxTokens - asked.length - 3);
  const numbers = (some: readonly Piece[]): number[] => some.map(({ id }) => id);
  const ids = [special.begin, ...numbers(asked), special.separator, ...numbers(pieces), special.separator];
  return { ids, second: asked.length + 2, pieces, begin };
}

/** Extends a span to whole words. */
export function wholeWords(pieces: readonly Piece[], { from, to }: { from: number; to: number }) {
  let [first, last] = [from, to];
  while (first > 0 && pieces[first]?.first === false) first--;
  while (pieces[last + 1]?.first === false) last++;
  return { start: pieces[first]?.start ?? 0, end: pieces[last]?.end ?? 0 };
}

function layOut({ before, message, after }: Window): { text: string; begin: number } {
  const first = before === undefined ? '' : `${said(before, before.text.slice(-charactersBefore))}\n`;
  const head = said(message, '');
  const last = after === undefined ? '' : `\n${said(after, after.text.slice(0, charactersAfter))}`;
  return { text: `${first}${head}${message.text}${last}`, begin: first.length + head.length };
}

function said({ speaker }: Said, text: string): string {
  return `${speaker}: ${text}`;
}

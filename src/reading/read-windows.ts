import { columns, type Reading, type Said, type Window } from './contract.js';
import { type Begun, type Encoder, maxTokens, type Outputs } from './encoder.js';

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

/** A word piece: its index in the vocabulary and its offsets in the text. */
interface Piece {
  id: number;
  start: number;
  end: number;
  /** Whether it begins a word; in scripts without spaces every piece may. */
  first: boolean;
}

export type Splitter = (text: string) => Piece[];

const longestWord = 100;
/** Longer text would exceed `maxTokens`. */
const longestText = 4_000;

// BERT's punctuation: ASCII symbols and Unicode punctuation; each ideograph is a word of its own.
const apart = String.raw`\p{P}$+<=>^\x60|~\u{4E00}-\u{9FFF}\u{3400}-\u{4DBF}\u{20000}-\u{2CEAF}\u{F900}-\u{FAFF}`;
const words = new RegExp(`[${apart}]|[^\\s${apart}]+`, 'gu');
const notText = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Mn}\uFFFD]/gu;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Splits text into the word pieces of an uncased BERT vocabulary, with their offsets. Reads at most 4,000 characters.
 */
export function createSplitter(vocabulary: readonly string[]): Splitter {
  const starting = new Map<string, number>();
  const continuing = new Map<string, number>();
  let longest = 0;
  for (const [id, piece] of vocabulary.entries()) {
    const continues = piece.length > 2 && piece.startsWith('##');
    const letters = continues ? piece.slice(2) : piece;
    (continues ? continuing : starting).set(letters, id);
    longest = Math.max(longest, letters.length);
  }
  const unknown = starting.get('[UNK]') ?? 0;

  function spell(word: string): { id: number; start: number; end: number }[] {
    const found: { id: number; start: number; end: number }[] = [];
    for (let begin = 0; begin < word.length; ) {
      const pieces = begin === 0 ? starting : continuing;
      let end = Math.min(word.length, begin + longest);
      let id = pieces.get(word.slice(begin, end));
      while (id === undefined && --end > begin) id = pieces.get(word.slice(begin, end));
      if (id === undefined) return [{ id: unknown, start: 0, end: word.length }];
      found.push({ id, start: begin, end });
      begin = end;
    }
    return found;
  }

  return (text) => {
    const pieces: Piece[] = [];
    for (const match of text.slice(0, longestText).matchAll(words)) {
      const [word] = match;
      const start = match.index;
      const end = start + word.length;
      if (word.length > longestWord) {
        pieces.push({ id: unknown, start, end, first: true });
        continue;
      }
      const plain = word.normalize('NFD').replace(notText, '').toLowerCase();
      const exact = plain.length === word.length;
      for (const [place, piece] of spell(plain).entries()) {
        const at = exact ? { start: start + piece.start, end: start + piece.end } : { start, end };
        const first = place === 0 || unspaced.test(plain[piece.start] ?? '');
        pieces.push({ id: piece.id, ...at, first });
      }
    }
    return pieces;
  };
}

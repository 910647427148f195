import type { Tokenizer } from './contract.js';
import { type Parts, windowsOver } from './heuristic.js';

/*
 * The tokens a model counts: byte-pair encoding with the tables of js-tiktoken. Only its tables are used; its encoder
 * needs time that grows faster than the square of a long run of letters. Special tokens such as <|endoftext|> are plain
 * text here, since everything we see was written by a user.
 */

/** Counts and cuts exactly as the named encoding does; a cut inside a character moves to the character's end. */
export function createExactTokenizer(name: string, vocabulary: Vocabulary): Tokenizer {
  return {
    name,
    count(text) {
      let count = 0;
      eachPiece(text, vocabulary, (_, ends) => {
        count += ends.length;
      });
      return count;
    },
    windows: (text, options) => windowsOver(split(text, vocabulary), options),
  };
}

/** Calls back with each piece of the text and where its tokens end in it, counted in bytes. */
function eachPiece(text: string, vocabulary: Vocabulary, visit: (piece: string, ends: number[]) => void): void {
  const { pattern, ranks, longestToken } = vocabulary;
  const pieces = new RegExp(pattern, 'gu');
  for (const segment of segments(text)) {
    for (const [piece] of segment.matchAll(pieces)) {
      const bytes = isAscii.test(piece) ? piece : Buffer.from(piece, 'utf8').toString('latin1');
      visit(piece, ranks.has(bytes) ? [bytes.length] : mergeBytePairs(bytes, ranks, longestToken));
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are ASCII too.
const isAscii = /^[\x00-\x7f]*$/;

function split(text: string, vocabulary: Vocabulary): Parts {
  const parts: Parts = { ends: [], tokens: [] };
  let tokens = 0;
  let pieceStart = 0;
  eachPiece(text, vocabulary, (piece, ends) => {
    let byte = 0;
    let offset = 0;
    let lastEnd = 0;
    for (const end of ends) {
      // Walks whole characters, so that a token ending inside one is moved to its end.
      while (byte < end) {
        const point = piece.codePointAt(offset) ?? 0;
        byte += utf8Length(point);
        offset += point > 0xffff ? 2 : 1;
      }
      tokens++;
      if (offset > lastEnd) {
        parts.ends.push(pieceStart + offset);
        parts.tokens.push(tokens);
        lastEnd = offset;
      } else {
        parts.tokens[parts.tokens.length - 1] = tokens;
      }
    }
    pieceStart += piece.length;
  });
  return parts;
}

/** Half a surrogate pair is written as U+FFFD, which takes three bytes as well. */
function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/**
 * The text in parts of bounded length, because a pattern that meets a run of millions of letters exhausts its stack. A
 * cut lies where every encoding starts a new piece anyway, so that the tokens stay the same; only a run that offers no
 * such place is cut between two characters.
 */
export function* segments(text: string): Generator<string, void, void> {
  let start = 0;
  while (text.length - start > longestSegment) {
    const end = cutBefore(text, start + longestSegment);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

const longestSegment = 65_536;
/** How far back a good place is looked for. */
const searched = 1_024;

// After a letter and before what cannot belong to its word: no mark, no other letter, no apostrophe of "it's".
const wordEnd = /\p{L}(?=[^\p{L}\p{M}'])/gu;

function cutBefore(text: string, limit: number): number {
  const from = limit - searched;
  // One character more than is searched, so that the last letter can see what follows it.
  const last = [...text.slice(from, limit + 1).matchAll(wordEnd)].at(-1);
  if (last !== undefined) return from + last.index + last[0].length;
  const cutsPair = (text.codePointAt(limit - 1) ?? 0) > 0xffff;
  return cutsPair ? limit - 1 : limit;
}

/** The vocabulary: bytes written as a Latin-1 string, to the rank at which they are merged. */
type Ranks = ReadonlyMap<string, number>;

/**
 * Merges neighbouring bytes, lowest rank first and leftmost among equals, until no pair is in the vocabulary; returns
 * where each token ends. The package's own merge rescans everything after each step, which takes minutes for some
 * thousand equal letters; a heap of candidates makes it n log n with the same result.
 */
function mergeBytePairs(bytes: string, ranks: Ranks, longestToken: number): number[] {
  const count = bytes.length;
  // A token is known by its first byte: `end` is where it ends, `before` where its left neighbour starts.
  const end = Int32Array.from({ length: count }, (_, start) => start + 1);
  const before = Int32Array.from({ length: count }, (_, start) => start - 1);
  /** Rank of the pair that starts here; -1 when there is none or the token was swallowed by its neighbour. */
  const pairRank = new Int32Array(count).fill(-1);
  const candidates: number[] = [];

  function consider(start: number): void {
    const middle = end[start] ?? count;
    const pairEnd = end[middle] ?? count;
    const isPossible = middle < count && pairEnd - start <= longestToken;
    const rank = isPossible ? (ranks.get(bytes.slice(start, pairEnd)) ?? -1) : -1;
    pairRank[start] = rank;
    if (rank >= 0) push(candidates, rank * positions + start);
  }

  for (let start = 0; start < count - 1; start++) consider(start);
  for (let best = pop(candidates); best !== undefined; best = pop(candidates)) {
    const start = best % positions;
    // A candidate from before a neighbour merged is out of date.
    if (pairRank[start] !== Math.floor(best / positions)) continue;
    const swallowed = end[start] ?? count;
    const pairEnd = end[swallowed] ?? count;
    pairRank[swallowed] = -1;
    end[start] = pairEnd;
    if (pairEnd < count) before[pairEnd] = start;
    consider(start);
    const left = before[start] ?? -1;
    if (left >= 0) consider(left);
  }

  const ends: number[] = [];
  for (let start = 0; start < count; start = end[start] ?? count) ends.push(end[start] ?? count);
  return ends;
}

/** Rank and position share one number, which sorts by rank and then from the left; both stay below 2^53 together. */
const positions = 2 ** 32;

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

function pop(heap: number[]): number | undefined {
  const least = heap[0];
  const value = heap.pop();
  if (value === undefined || heap.length === 0) return least;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if ((heap[child + 1] ?? Number.POSITIVE_INFINITY) < (heap[child] ?? 0)) child++;
    const below = heap[child] ?? 0;
    if (below >= value) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = value;
  return least;
}

export interface Vocabulary {
  /** Cuts a text into the pieces within which bytes are merged. */
  pattern: string;
  ranks: Ranks;
  longestToken: number;
}

/** The encodings the package carries. */
export const encodings = ['cl100k_base', 'o200k_base', 'p50k_base', 'p50k_edit', 'r50k_base', 'gpt2'] as const;

export type Encoding = (typeof encodings)[number];

/** Reads the tables of an encoding out of the optional package; rejects when it is not installed. */
export async function loadVocabulary(encoding: Encoding): Promise<Vocabulary> {
  // A computed name keeps the package optional for the compiler too.
  const name = `js-tiktoken/ranks/${encoding}`;
  const tables: { default?: unknown } = await import(name);
  return readVocabulary(tables.default);
}

/** Each line of the tables is a mark, the rank of its first token, then tokens of rising rank in base64. */
function readVocabulary(tables: unknown): Vocabulary {
  const { pat_str: pattern, bpe_ranks: lines } = (tables ?? {}) as { pat_str?: unknown; bpe_ranks?: unknown };
  if (typeof pattern !== 'string' || typeof lines !== 'string') throw new Error('The token tables have another form.');
  const ranks = new Map<string, number>();
  let longestToken = 0;
  for (const line of lines.split('\n')) {
    const [, firstRank, ...tokens] = line.split(' ');
    for (const [position, token] of tokens.entries()) {
      const bytes = Buffer.from(token, 'base64').toString('latin1');
      ranks.set(bytes, Number(firstRank) + position);
      longestToken = Math.max(longestToken, bytes.length);
    }
  }
  return { pattern, ranks, longestToken };
}

import type { Tokenizer } from './contract.js';
import { type Parts, windowsOver } from './heuristic.js';

/**
 * Exact token counts: byte-pair encoding with the tables of js-tiktoken. Only its tables are used, because its encoder
 * takes more than quadratic time on a long run of letters. Special tokens such as <|endoftext|> are treated as plain
 * text, since all our input was written by users.
 */

/** Counts and splits exactly as the named encoding does; a split inside a character moves to the character's end. */
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

/** Calls `visit` with each piece of the text and the byte offsets at which its tokens end. */
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
      // Steps over whole characters, so that a token boundary inside a character moves to its end.
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

/** A lone surrogate is written as U+FFFD, which takes three bytes as well. */
function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/**
 * Splits the text into segments of bounded length, because a regular expression that meets a run of millions of letters
 * overflows its stack. The text is split where every encoding starts a new piece anyway, so the tokens stay the same;
 * only a run without such a boundary is split between two characters.
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
/** How far back to look for a boundary. */
const searched = 1_024;

// After a letter and before something that cannot continue its word: not a mark, another letter or the apostrophe in
// "it's".
const wordEnd = /\p{L}(?=[^\p{L}\p{M}'])/gu;

function cutBefore(text: string, limit: number): number {
  const from = limit - searched;
  // One extra character, so that the lookahead of the last letter works.
  const last = [...text.slice(from, limit + 1).matchAll(wordEnd)].at(-1);
  if (last !== undefined) return from + last.index + last[0].length;
  const cutsPair = (text.codePointAt(limit - 1) ?? 0) > 0xffff;
  return cutsPair ? limit - 1 : limit;
}

/** The vocabulary: maps bytes, written as a Latin-1 string, to their merge rank. */
type Ranks = ReadonlyMap<string, number>;

/**
 * Merges neighbouring bytes, lowest rank first and leftmost among equals, until no pair is in the vocabulary; returns
 * where each token ends. The package's own merge rescans everything after each step, which takes minutes for a few
 * thousand equal letters; a heap of candidates gives the same result in O(n log n).
 */
function mergeBytePairs(bytes: string, ranks: Ranks, longestToken: number): number[] {
  const count = bytes.length;
  // A token is identified by its first byte: `end` is where it ends, `before` where its left neighbour starts.
  const end = Int32Array.from({ length: count }, (_, start) => start + 1);
  const before = Int32Array.from({ length: count }, (_, start) => start - 1);
  /** Rank of the pair that starts here; -1 when there is none or the token was merged into its neighbour. */
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
    // Skips candidates that are stale because a neighbour has merged since.
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

/** Packs rank and position into one number that sorts by rank, then position; together they stay below 2^53. */
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
  /** Splits a text into the pieces within which bytes are merged. */
  pattern: string;
  ranks: Ranks;
  longestToken: number;
}

/** The encodings that js-tiktoken ships. */
export const encodings = ['cl100k_base', 'o200k_base', 'p50k_base', 'p50k_edit', 'r50k_base', 'gpt2'] as const;

export type Encoding = (typeof encodings)[number];

/** Loads the tables of an encoding from the optional package; rejects when it is not installed. */
export async function loadVocabulary(encoding: Encoding): Promise<Vocabulary> {
  // A computed module name keeps the package optional for the compiler too.
  const name = `js-tiktoken/ranks/${encoding}`;
  const tables: { default?: unknown } = await import(name);
  return readVocabulary(tables.default);
}

/** Each line of the tables holds a marker, the rank of its first token, then base64 tokens of ascending rank. */
function readVocabulary(tables: unknown): Vocabulary {
  const { pat_str: pattern, bpe_ranks: lines } = (tables ?? {}) as { pat_str?: unknown; bpe_ranks?: unknown };
  if (typeof pattern !== 'string' || typeof lines !== 'string')
    throw new Error('The token tables have an unexpected format.');
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

/*
 * The tokens a model counts: byte-pair encoding with the tables of js-tiktoken. Only its tables are used; its encoder
 * needs time that grows faster than the square of a long run of letters. Special tokens such as <|endoftext|> are plain
 * text here, since everything we see was written by a user.
 */
import { mergeBytePairs } from './byte-pairs.js';
import type { Tokenizer } from './contract.js';
import type { Vocabulary } from './vocabulary.js';
import { type Parts, windowsOver } from './windows.js';

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

import type { Tokenizer } from './contract.js';

/**
 * Tokens without a vocabulary: a run of word characters, a run of white space, or any other single character.
 * Deterministic.
 */
export function createHeuristicTokenizer(): Tokenizer {
  return {
    name: 'heuristic',
    count: (text) => split(text).ends.length,
    windows: (text, options) => windowsOver(split(text), options),
  };
}

function split(text: string): Parts {
  const parts: Parts = { ends: [], tokens: [] };
  let position = 0;
  while (position < text.length) {
    position = tokenEnd(text, position);
    parts.ends.push(position);
    parts.tokens.push(parts.ends.length);
  }
  return parts;
}

// Searches for the end of a run instead of matching the run: matching millions of characters overflows the regular
// expression's stack.
const runs = [
  { member: /[\p{L}\p{N}_]/uy, stranger: /[^\p{L}\p{N}_]/gu },
  { member: /\s/uy, stranger: /\S/gu },
];

function tokenEnd(text: string, start: number): number {
  for (const { member, stranger } of runs) {
    member.lastIndex = start;
    if (!member.test(text)) continue;
    stranger.lastIndex = start;
    return stranger.exec(text)?.index ?? text.length;
  }
  return start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
}

/**
 * A text split at its token boundaries: `ends[i]` is the UTF-16 offset after the i-th part, `tokens[i]` the number of
 * tokens up to there. A part is one token, except that tokens sharing one character form one part.
 */
export interface Parts {
  ends: number[];
  tokens: number[];
}

/**
 * Windows of at most `size` tokens over the parts, each starting `size - overlap` tokens after the previous one;
 * together they cover the text. Only a single character of more than `size` tokens makes a window larger. Throws
 * `RangeError` for a size or overlap that would make no progress.
 */
export function windowsOver(
  { ends, tokens }: Parts,
  { size, overlap }: { size: number; overlap: number },
): { start: number; end: number }[] {
  if (!(Number.isInteger(size) && Number.isInteger(overlap) && size > overlap && overlap >= 0)) {
    throw new RangeError('The size of a window must be a whole number larger than its overlap.');
  }
  const windows: { start: number; end: number }[] = [];
  // `first` is the window's first part, `next` the first part after it.
  let first = 0;
  let next = 0;
  while (next < ends.length) {
    const tokensBefore = tokens[first - 1] ?? 0;
    next = Math.max(next, first + 1);
    while (next < ends.length && (tokens[next] ?? 0) - tokensBefore <= size) next++;
    windows.push({ start: ends[first - 1] ?? 0, end: ends[next - 1] ?? 0 });
    // Normally the overlap decides; a character of several tokens may need more room than the overlap leaves.
    const earliest = Math.max(tokensBefore + size - overlap, (tokens[next] ?? 0) - size);
    first++;
    while (first < next && (tokens[first - 1] ?? 0) < earliest) first++;
  }
  return windows;
}

import type { Tokenizer } from './contract.js';
import { type Parts, windowsOver } from './windows.js';

/**
 * Tokens without a vocabulary: a run of word characters, a run of white space, or any other single character. The same
 * text always gives the same count.
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

// The end of a run is searched for rather than matched: matching a run of millions exhausts the expression's stack.
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

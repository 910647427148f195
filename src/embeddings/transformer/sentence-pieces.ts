import { slices } from '../slices.js';
import { createWordPieces, unknownPiece, type WordPieceRules } from '../word-pieces.js';

/** Everything that turns a text into the numbers a model reads. */
export interface TokenizerPlan {
  /** In the order of their numbers. */
  vocabulary: readonly string[];
  rules: WordPieceRules;
  /** The number of a word that the vocabulary cannot spell. */
  unknown: number;
  /** What stands before and after every text, such as `[CLS]` and `[SEP]`. */
  before: readonly number[];
  after: readonly number[];
  /** Names of special pieces, which are read as such wherever a text has them. */
  special: readonly { content: string; id: number }[];
  padding: number;
  /** The most numbers the model reads, those before and after included. */
  maxLength: number;
}

/** The numbers of a text as the model's own tokeniser gives them, cut at `maxLength`. */
export function createSentencePieces(plan: TokenizerPlan): (text: string) => number[] {
  const { vocabulary, rules, unknown, before, after, special, maxLength } = plan;
  const splitter = createWordPieces(vocabulary, rules);
  const room = maxLength - before.length - after.length;
  const ids = new Map(special.map(({ content, id }) => [content, id]));
  const names = special.length === 0 ? undefined : new RegExp(`(${special.map(escaped).join('|')})`, 'u');

  return (text) => {
    const pieces: number[] = [];
    // What lies beyond the model's reach need not be looked at.
    for (const slice of slices(text)) {
      for (const part of names === undefined ? [slice] : slice.split(names)) {
        const id = ids.get(part);
        if (id !== undefined) pieces.push(id);
        else for (const piece of splitter.split(part)) pieces.push(piece === unknownPiece ? unknown : piece);
      }
      if (pieces.length >= room) break;
    }
    return [...before, ...pieces.slice(0, room), ...after];
  };
}

function escaped({ content }: { content: string }): string {
  return content.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

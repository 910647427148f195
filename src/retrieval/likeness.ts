import { foldedText } from '../language/terms.js';
import type { Candidate } from './candidate.js';
import { brevity } from './turns.js';

/**
 * How much of the query's word pieces a short candidate holds anywhere in its letters, 0 to 1; a piece counts the more,
 * the fewer of the candidates hold it. Long ones hold any letters by chance and get 0, as do turns between people.
 */
export function likenessTo(
  pieces: readonly string[],
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  const short =
    pieces.length === 0 ? [] : candidates.filter(({ speaker, text }) => speaker === undefined && brevity(text) > 0);
  const held = new Map(short.map(({ chunkId, text }) => [chunkId, heldBy(foldedText(text), pieces)]));
  const rarity = pieces.map((_, index) => {
    const holders = [...held.values()].filter((has) => has[index]).length;
    return Math.log(1 + (short.length - holders + 0.5) / (holders + 0.5));
  });
  const whole = rarity.reduce((sum, one) => sum + one, 0);
  return ({ chunkId }) => {
    const has = held.get(chunkId);
    return has === undefined ? 0 : rarity.reduce((sum, one, index) => sum + (has[index] ? one : 0), 0) / whole;
  };
}

function heldBy(letters: string, pieces: readonly string[]): boolean[] {
  return pieces.map((piece) => letters.includes(piece));
}

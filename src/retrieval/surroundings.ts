import { foldedText } from '../language/terms.js';
import type { Candidate } from './candidate.js';
import type { Surroundings } from './features.js';
import { askingShare, brevity, isQuestion } from './turns.js';

/** The BM25 score that maps to one half: an average match of a two-word query. */
const halfwayBm25 = 8;

/**
 * Half the absolute strength of the match, half its strength relative to the best one. The first keeps a weak word
 * weak; the second keeps an exact match on top in a small store, where no word is rare enough for a high BM25.
 */
export function keywordScore(bm25: number, best: number): number {
  return bm25 <= 0 ? 0 : (bm25 / (bm25 + halfwayBm25) + bm25 / best) / 2;
}

/** What was found in one conversation: its messages by position, and the score of each candidate. */
interface Found {
  turns: Map<number, Candidate>;
  scores: number[];
}

/** Keyword scores of every candidate, its neighbours and its conversation, as far as they were found. */
export function surroundingsOf(
  candidates: readonly Candidate[],
  pieces: readonly string[],
): (candidate: Candidate) => Surroundings {
  const best = Math.max(0, ...candidates.map(({ bm25 = 0 }) => bm25));
  const places = new Map<string, Found>();
  for (const candidate of candidates) {
    const { conversationId, messageIndex, bm25 = 0 } = candidate;
    const place: Found = places.get(conversationId) ?? { turns: new Map(), scores: [] };
    places.set(conversationId, place);
    // A message with several windows has the score of its best one.
    if (bm25 >= (place.turns.get(messageIndex)?.bm25 ?? 0)) place.turns.set(messageIndex, candidate);
    place.scores.push(bm25);
  }
  const conversations = new Map([...places].map(([id, { scores }]) => [id, strongest(scores)]));
  const bestConversation = Math.max(0, ...conversations.values());
  const score = ({ bm25 = 0 }: Candidate): number => keywordScore(bm25, best);
  const likeness = likenessTo(pieces, candidates);
  return (candidate) => {
    const turns = places.get(candidate.conversationId)?.turns;
    const previous = turns?.get(candidate.messageIndex - 1);
    const next = turns?.get(candidate.messageIndex + 1);
    const before = turns?.get(candidate.messageIndex - 2);
    return {
      keyword: score(candidate),
      likeness: likeness(candidate),
      previous: previous && { keyword: score(previous), isQuestion: isQuestion(previous.text) },
      next: next && { keyword: score(next) },
      lead: leadOf({ previous, before }, score),
      conversation: bestConversation === 0 ? 0 : (conversations.get(candidate.conversationId) ?? 0) / bestConversation,
    };
  };
}

/** The match of the short message before; a counter-question passes on half of the match of the message before it. */
function leadOf(
  { previous, before }: { previous: Candidate | undefined; before: Candidate | undefined },
  score: (candidate: Candidate) => number,
): number {
  if (previous === undefined) return 0;
  const worth = (turn: Candidate): number => score(turn) * brevity(turn.text);
  const direct = worth(previous);
  const passable = before === undefined ? 0 : worth(before) / 2;
  // Detecting questions costs more than the rest, and for weaker matches it makes no difference.
  return passable <= direct ? direct : Math.max(direct, passable * askingShare(previous.text));
}

/** The three best matches of a conversation, each counting less than the one before. */
function strongest(scores: readonly number[]): number {
  const [first = 0, second = 0, third = 0] = scores.length < 2 ? scores : scores.toSorted((one, other) => other - one);
  return first + second / 2 + third / 3;
}

/**
 * The share of the query's word pieces that a short candidate contains anywhere in its letters, 0 to 1; a piece
 * counts more, the fewer candidates contain it. Long messages contain any letters by chance and get 0, as do messages
 * between people.
 */
export function likenessTo(
  pieces: readonly string[],
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  const short =
    pieces.length === 0 ? [] : candidates.filter(({ speaker, text }) => speaker === undefined && brevity(text) > 0);
  const held = new Map(short.map(({ chunkId, text }) => [chunkId, heldBy(foldedText(text), pieces)]));
  const counts = pieces.map(() => 0);
  for (const has of held.values())
    for (const [index, is] of has.entries()) if (is) counts[index] = (counts[index] ?? 0) + 1;
  const rarity = counts.map((holders) => Math.log(1 + (short.length - holders + 0.5) / (holders + 0.5)));
  const whole = rarity.reduce((sum, one) => sum + one, 0);
  return ({ chunkId }) => {
    const has = held.get(chunkId);
    return has === undefined ? 0 : rarity.reduce((sum, one, index) => sum + (has[index] ? one : 0), 0) / whole;
  };
}

function heldBy(letters: string, pieces: readonly string[]): boolean[] {
  return pieces.map((piece) => letters.includes(piece));
}

/*
 * Which rows of a table a text uses. English text is spelt with the English pieces alone, exactly as before a table knew
 * other languages. Words in another script, and every word of a text that reads as another language, are spelt with all
 * pieces. In the vocabulary `=` marks a word that English has too ("=die"): it says nothing about the language of a text.
 */
import {
  createWordPieces,
  ideographs,
  longestWord,
  remembering,
  uncased,
  unknownPiece,
  wordsOf,
} from '../word-pieces.js';

/** A splitter for a table whose first `englishRows` pieces are English. Returns positions in `vocabulary`. */
export function createSpelling(vocabulary: readonly string[], englishRows: number): (text: string) => number[] {
  const english = createWordPieces(vocabulary.slice(0, englishRows));
  if (englishRows === vocabulary.length) return english.split;
  const pieces = readPieces(vocabulary);
  const votes = countVotes(vocabulary, englishRows);
  const spellOther = remembering((word) => spell(word, pieces));

  return (text) => {
    const words = wordsOf(text, { ...uncased, splitIdeographs: false });
    const isOther = readsAsOther(words, votes);
    const found: number[] = [];
    for (const word of words) {
      if (otherScript.test(word)) {
        for (const run of word.match(runs) ?? []) for (const piece of spellOther(run)) found.push(piece);
      } else {
        for (const piece of isOther ? spellOther(word) : english.spell(word)) found.push(piece);
      }
    }
    return found;
  };
}

interface Pieces {
  starting: Map<string, number>;
  continuing: Map<string, number>;
  longest: number;
}

/** Of two rows for the same letters the later one counts: that of the other languages. */
function readPieces(vocabulary: readonly string[]): Pieces {
  const pieces: Pieces = { starting: new Map(), continuing: new Map(), longest: 0 };
  for (const [position, piece] of vocabulary.entries()) {
    const continues = piece.length > 2 && piece.startsWith('##');
    const letters = continues ? piece.slice(2) : isShared(piece) ? piece.slice(1) : piece;
    (continues ? pieces.continuing : pieces.starting).set(letters, position);
    pieces.longest = Math.max(pieces.longest, letters.length);
  }
  return pieces;
}

const isShared = (piece: string) => piece.length > 1 && piece.startsWith('=');

/** +1 for a word that only other languages have, -1 for one that only English has. */
function countVotes(vocabulary: readonly string[], englishRows: number): Map<string, number> {
  const votes = new Map<string, number>();
  for (const [position, piece] of vocabulary.entries()) {
    if (isShared(piece)) votes.delete(piece.slice(1));
    else if (latinWord.test(piece) && !otherScript.test(piece)) votes.set(piece, position < englishRows ? -1 : 1);
  }
  return votes;
}

function readsAsOther(words: readonly string[], votes: Map<string, number>): boolean {
  let sum = 0;
  for (const word of words) sum += votes.get(word) ?? 0;
  return sum > 0;
}

const latinWord = /^\p{L}{2,}$/u;
const unspaced = `${ideographs}\\u3040-\\u30FF\\u3005\\uFF66-\\uFF9F`;
const otherScript = new RegExp(
  `[\\u0370-\\u1DFF\\u1F00-\\u1FFF\\u2C00-\\u2DFF\\uAC00-\\uD7A3\\uFB1D-\\uFDFF\\uFE70-\\uFEFF${unspaced}]`,
  'u',
);
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');

/** The longest pieces first. A letter without a piece is left out; the rest of its word still counts. */
function spell(word: string, { starting, continuing, longest }: Pieces): readonly number[] {
  // Chinese and Japanese put no space between words, so a piece may start anywhere and a run may be long.
  const anywhere = isUnspaced.test(word);
  if (!anywhere && word.length > longestWord) return [unknownPiece];
  const found: number[] = [];
  for (let begin = 0; begin < word.length; ) {
    const pieces = begin === 0 || anywhere ? starting : continuing;
    let end = Math.min(word.length, begin + longest);
    let piece = pieces.get(word.slice(begin, end));
    while (piece === undefined && --end > begin) piece = pieces.get(word.slice(begin, end));
    if (piece !== undefined) found.push(piece);
    begin = Math.max(end, begin + 1);
  }
  return found;
}

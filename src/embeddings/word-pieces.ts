import { normalForm } from '../model/text.js';

/*
 * Splits text into word pieces exactly as the BERT tokenizer does: removes control characters, strips accents and
 * lowers case (for uncased models), separates CJK characters and punctuation, then spells each word with the longest
 * pieces of the vocabulary. The models were trained on exactly these pieces, so any difference would produce unseen
 * words.
 */

/** Marks a word that the vocabulary cannot spell, or that is longer than 100 characters. */
export const unknownPiece = -1;

interface WordPieces {
  /** The vocabulary indexes of the pieces of `text`, in order, including `unknownPiece`. */
  split(text: string): number[];
  /** The same for one word as returned by `wordsOf`. */
  spell(word: string): readonly number[];
}

/** How the text is normalized, which differs between models. */
export interface WordPieceRules {
  lowerCase: boolean;
  stripAccents: boolean;
  /** Whether each CJK character is a word of its own. */
  splitIdeographs: boolean;
}

export const uncased: WordPieceRules = { lowerCase: true, stripAccents: true, splitIdeographs: true };

/** A splitter for `vocabulary`, in which a piece that continues a word starts with `##`. */
export function createWordPieces(vocabulary: readonly string[], rules: WordPieceRules = uncased): WordPieces {
  const pieces: Pieces = { starting: new Map(), continuing: new Map(), longest: 0 };
  for (const [position, piece] of vocabulary.entries()) {
    const continues = piece.length > 2 && piece.startsWith('##');
    const letters = continues ? piece.slice(2) : piece;
    (continues ? pieces.continuing : pieces.starting).set(letters, position);
    pieces.longest = Math.max(pieces.longest, letters.length);
  }
  // Cached, because words repeat within and across texts.
  const spellOnce = remembering((word) => spell(word, pieces));
  return {
    split(text) {
      const found: number[] = [];
      for (const word of wordsOf(text, rules)) for (const piece of spellOnce(word)) found.push(piece);
      return found;
    },
    spell: spellOnce,
  };
}

/** Wraps `spell` with a bounded cache. */
export function remembering(spell: (word: string) => readonly number[]): (word: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (word) => {
    let spelling = known.get(word);
    if (spelling === undefined) {
      spelling = spell(word);
      if (known.size >= mostKnown) known.clear();
      if (word.length <= longestKnown) known.set(word, spelling);
    }
    return spelling;
  };
}

interface Pieces {
  starting: Map<string, number>;
  continuing: Map<string, number>;
  /** The length of the longest piece in characters: the upper bound of the search. */
  longest: number;
}

const mostKnown = 30_000;
const longestKnown = 40;
export const longestWord = 100;

const asciiOnly = /^\p{ASCII}*$/u;
const asciiWords = /[!-/:-@[-`{-~]|[A-Za-z0-9]+/g;

// Unlike the Unicode categories, BERT counts every ASCII character that is neither letter nor digit as punctuation.
const signs = String.raw`\p{P}$+<=>^\x60|~`;
export const ideographs = String.raw`\u{4E00}-\u{9FFF}\u{3400}-\u{4DBF}\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B820}-\u{2CEAF}\u{F900}-\u{FAFF}\u{2F800}-\u{2FA1F}`;
const wordsBetween = (apart: string) => new RegExp(`[${apart}]|[^\\s${apart}]+`, 'gu');
const anyWords = { splitting: wordsBetween(signs + ideographs), keeping: wordsBetween(signs) };
// Unassigned code points stay, as in the original, so that the result does not depend on the machine's Unicode version.
const notText = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]|\uFFFD/gu;

/** The words and punctuation marks of `text` in order, normalized by `rules`. */
export function wordsOf(text: string, { lowerCase, stripAccents, splitIdeographs }: WordPieceRules): readonly string[] {
  const clean = text.replace(notText, '');
  if (asciiOnly.test(clean)) return (lowerCase ? clean.toLowerCase() : clean).match(asciiWords) ?? [];
  const plain = stripAccents ? normalForm(clean, 'NFD').replace(/\p{Mn}/gu, '') : clean;
  // JavaScript lowers a word-final sigma to "ς", but the tokenizer lowers each letter by itself.
  const cased = lowerCase ? plain.replaceAll('Σ', 'σ').toLowerCase() : plain;
  return cased.match(splitIdeographs ? anyWords.splitting : anyWords.keeping) ?? [];
}

const unknownWord: readonly number[] = [unknownPiece];

function spell(word: string, { starting, continuing, longest }: Pieces): readonly number[] {
  const whole = starting.get(word);
  if (whole !== undefined) return [whole];
  if (word.length > longestWord && [...word].length > longestWord) return unknownWord;
  const found: number[] = [];
  for (let begin = 0; begin < word.length; ) {
    const pieces = begin === 0 ? starting : continuing;
    let end = Math.min(word.length, begin + longest);
    let piece = pieces.get(word.slice(begin, end));
    while (piece === undefined && --end > begin) piece = pieces.get(word.slice(begin, end));
    if (piece === undefined) return unknownWord;
    found.push(piece);
    begin = end;
  }
  return found;
}

/** Cuts a long text at whitespace or, where a slice has none, between two characters, so that each step is bounded. */
export function* slices(text: string): Generator<string, void, void> {
  let begin = 0;
  while (text.length - begin > sliceLength) {
    let end = begin + sliceLength;
    while (end > begin && !whiteSpace.test(text.charAt(end))) end--;
    if (end === begin) end = begin + sliceLength - (isLeadSurrogate(text, begin + sliceLength - 1) ? 1 : 0);
    yield text.slice(begin, end);
    begin = end;
  }
  yield text.slice(begin);
}

function isLeadSurrogate(text: string, position: number): boolean {
  return (text.charCodeAt(position) & 0xfc00) === 0xd800;
}

const sliceLength = 4096;
const whiteSpace = /\s/;

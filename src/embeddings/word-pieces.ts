import { normalForm } from '../model/text.js';

/*
 * Text into word pieces as the BERT tokeniser does it, to the last piece: control characters out, accents off and lower
 * case (where the model is uncased), CJK characters and punctuation apart, then each word spelt by the longest pieces of
 * the vocabulary. A model was trained on exactly these pieces, so a difference here would be a word it has never met.
 */

/** Stands for a word that the vocabulary cannot spell, or that is longer than 100 characters. */
export const unknownPiece = -1;

interface WordPieces {
  /** Positions in the vocabulary of the pieces of `text`, in order, `unknownPiece` among them. */
  split(text: string): number[];
  /** The same for one word, as `wordsOf` finds it. */
  spell(word: string): readonly number[];
}

/** How the text is prepared; models differ in it. */
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
  // People repeat themselves: most words of a text were spelt a moment ago.
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

/** `spell` with a bounded memory of the words it was asked for. */
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
  /** Characters of the longest piece: no need to look for a longer one. */
  longest: number;
}

const mostKnown = 30_000;
const longestKnown = 40;
export const longestWord = 100;

const asciiOnly = /^\p{ASCII}*$/u;
const asciiWords = /[!-/:-@[-`{-~]|[A-Za-z0-9]+/g;

// Unlike the general categories, BERT counts every ASCII sign that is neither letter nor digit as punctuation.
const signs = String.raw`\p{P}$+<=>^\x60|~`;
export const ideographs = String.raw`\u{4E00}-\u{9FFF}\u{3400}-\u{4DBF}\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B820}-\u{2CEAF}\u{F900}-\u{FAFF}\u{2F800}-\u{2FA1F}`;
const wordsBetween = (apart: string) => new RegExp(`[${apart}]|[^\\s${apart}]+`, 'gu');
const anyWords = { splitting: wordsBetween(signs + ideographs), keeping: wordsBetween(signs) };
// Unassigned code points stay, as in the original; so the answer does not hang on the Unicode version of the machine.
const notText = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]|\uFFFD/gu;

/** The words and signs of `text` in order, prepared as `rules` say. */
export function wordsOf(text: string, { lowerCase, stripAccents, splitIdeographs }: WordPieceRules): readonly string[] {
  const clean = text.replace(notText, '');
  if (asciiOnly.test(clean)) return (lowerCase ? clean.toLowerCase() : clean).match(asciiWords) ?? [];
  const plain = stripAccents ? normalForm(clean, 'NFD').replace(/\p{Mn}/gu, '') : clean;
  // A sigma at the end of a word would become the other one; the tokeniser lowers each letter by itself.
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

/** A word piece: its index in the vocabulary and its offsets in the text. */
export interface Piece {
  id: number;
  start: number;
  end: number;
  /** Whether it begins a word; in scripts without spaces every piece may. */
  first: boolean;
}

export type Splitter = (text: string) => Piece[];

const longestWord = 100;
/** Longer text would exceed `maxTokens`. */
const longestText = 4_000;

// BERT's punctuation: ASCII symbols and Unicode punctuation; each ideograph is a word of its own.
const apart = String.raw`\p{P}$+<=>^\x60|~\u{4E00}-\u{9FFF}\u{3400}-\u{4DBF}\u{20000}-\u{2CEAF}\u{F900}-\u{FAFF}`;
const words = new RegExp(`[${apart}]|[^\\s${apart}]+`, 'gu');
const notText = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Mn}\uFFFD]/gu;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Splits text into the word pieces of an uncased BERT vocabulary, with their offsets. Reads at most 4,000 characters.
 */
export function createSplitter(vocabulary: readonly string[]): Splitter {
  const starting = new Map<string, number>();
  const continuing = new Map<string, number>();
  let longest = 0;
  for (const [id, piece] of vocabulary.entries()) {
    const continues = piece.length > 2 && piece.startsWith('##');
    const letters = continues ? piece.slice(2) : piece;
    (continues ? continuing : starting).set(letters, id);
    longest = Math.max(longest, letters.length);
  }
  const unknown = starting.get('[UNK]') ?? 0;

  function spell(word: string): { id: number; start: number; end: number }[] {
    const found: { id: number; start: number; end: number }[] = [];
    for (let begin = 0; begin < word.length; ) {
      const pieces = begin === 0 ? starting : continuing;
      let end = Math.min(word.length, begin + longest);
      let id = pieces.get(word.slice(begin, end));
      while (id === undefined && --end > begin) id = pieces.get(word.slice(begin, end));
      if (id === undefined) return [{ id: unknown, start: 0, end: word.length }];
      found.push({ id, start: begin, end });
      begin = end;
    }
    return found;
  }

  return (text) => {
    const pieces: Piece[] = [];
    for (const match of text.slice(0, longestText).matchAll(words)) {
      const [word] = match;
      const start = match.index;
      const end = start + word.length;
      if (word.length > longestWord) {
        pieces.push({ id: unknown, start, end, first: true });
        continue;
      }
      const plain = word.normalize('NFD').replace(notText, '').toLowerCase();
      const exact = plain.length === word.length;
      for (const [place, piece] of spell(plain).entries()) {
        const at = exact ? { start: start + piece.start, end: start + piece.end } : { start, end };
        const first = place === 0 || unspaced.test(plain[piece.start] ?? '');
        pieces.push({ id: piece.id, ...at, first });
      }
    }
    return pieces;
  };
}

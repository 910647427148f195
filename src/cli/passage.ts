import { indexTerms } from '../language/terms.js';

const longest = 240;
const before = 80;
/** Farther into a text nobody looks for the first match: the head is shown instead. */
const searched = 50_000;
/** The segmenter copies the whole text for each word it finds, so it gets one piece of this length after the other. */
const pieceLength = 512;

/** Words also where a script has no blanks between them. */
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * A short piece of a text on one line, around the first word that was asked for. The words are marked by the analyser
 * that found them, so `cats` is marked for `cat`.
 */
export function passageOf(text: string, queryTerms: readonly string[], mark: (word: string) => string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const wanted = new Set(queryTerms);
  const start = startOf(flat, wanted);
  const shown = headOf(flat.slice(start), longest);
  const marked = [...words.segment(shown)].map(({ segment }) => (isWanted(segment, wanted) ? mark(segment) : segment));
  const cutAtEnd = start + shown.length < flat.length;
  return `${start > 0 ? '…' : ''}${marked.join('')}${cutAtEnd ? '…' : ''}`;
}

/** The beginning of a word some way before the first wanted one, so that the passage shows what it belongs to. */
function startOf(text: string, wanted: ReadonlySet<string>): number {
  if (text.length <= longest) return 0;
  for (const { segment, index } of segmentsOf(text.slice(0, searched))) {
    if (isWanted(segment, wanted)) return index <= before ? 0 : wordAt(text, index - before);
  }
  return 0;
}

/** The words of a text and where they begin. A piece ends at a blank where it has one, so that no word is cut. */
function* segmentsOf(text: string): Generator<{ segment: string; index: number }> {
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + pieceLength);
    const blank = from + piece.length < text.length ? piece.lastIndexOf(' ') : -1;
    const whole = blank > 0 ? piece.slice(0, blank) : piece;
    for (const { segment, index } of words.segment(whole)) yield { segment, index: from + index };
    from += whole.length;
  }
}

/** Where the word at an index begins, as far as a piece of the text around it shows. */
function wordAt(text: string, index: number): number {
  const from = Math.max(0, index - pieceLength / 2);
  const piece = text.slice(from, from + pieceLength);
  return from + (words.segment(piece).containing(index - from)?.index ?? 0);
}

/** By whole characters: half a surrogate pair is no character. */
function headOf(text: string, length: number): string {
  return text.length <= length ? text : [...text.slice(0, length * 2)].slice(0, length).join('').trimEnd();
}

function isWanted(segment: string, wanted: ReadonlySet<string>): boolean {
  return indexTerms(segment).some((term) => wanted.has(term));
}

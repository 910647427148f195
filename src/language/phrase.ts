import { charactersOf, foldedText, indexTermsOfWord, isUnspaced, pairsOf, withoutUnspaced, wordsOf } from './terms.js';

/** A text to be found verbatim. */
export interface Phrase {
  /** Its folded words, separated by single spaces. */
  words: string;
  /** As typed, with single spaces. */
  typed: string;
  /** It has at least three words, so a text that contains it by chance is rare. */
  isLong: boolean;
}

const wordPattern = /[\p{L}\p{N}\p{M}]+(?:\+\+|#)?/gu;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;

/** This many characters of a script without spaces count as three words. */
const longUnspaced = 4;

/** Undefined when the text has no word. */
export function phraseOf(text: string): Phrase | undefined {
  const words = foldedWords(text);
  if (words === '') return undefined;
  const isLong = words.split(' ', 3).length >= 3 || charactersOf(words).length >= longUnspaced;
  return { words, typed: singleBlanks(text), isLong };
}

/** The folded words of a text, separated by single spaces: punctuation, case and accents are ignored. */
export function foldedWords(text: string): string {
  return (foldedText(text).match(wordPattern) ?? []).join(' ');
}

/** Whether `words` occur in a text of folded words: never inside a word, except in scripts without spaces. */
export function containsWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + words.length)) return true;
  }
  return false;
}

/** A text with every run of whitespace collapsed to one space. */
export function singleBlanks(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const [before, after] = [text.charAt(at - 1), text.charAt(at)];
  if (!wordCharacter.test(before) || !wordCharacter.test(after)) return true;
  return isUnspaced(before) || isUnspaced(after);
}

const mostTerms = 64;

/**
 * Runs of adjacent terms that the full-text index has for every text that contains the phrase. The first and last word
 * of the phrase may be parts of longer words (`app.ts` of `src/app.ts`), so only their parts are searched for, without
 * the short ones, which a contraction may hide.
 */
export function indexRuns(text: string): string[][] {
  const words = wordsOf(text);
  const inner = words.slice(1, -1).flatMap((word) => [...indexTermsOfWord(word)]);
  const [first = ''] = words;
  const edges = words.length > 1 ? [first, words.at(-1) ?? ''] : [first];
  const loose = edges.flatMap(edgeTerms);
  const long = loose.filter((term) => term.length > 2 || isUnspaced(term));
  const runs = [...(inner.length > 0 ? [inner.slice(0, mostTerms)] : []), ...long.map((term) => [term])];
  return (runs.length > 0 ? runs : loose.map((term) => [term])).slice(0, mostTerms);
}

/** The same if the first and last word are whole words of the text: one run, which matches far fewer texts. */
export function wholeRun(text: string): string[] {
  return wordsOf(text)
    .flatMap((word) => [...indexTermsOfWord(word)])
    .slice(0, mostTerms);
}

function edgeTerms(word: string): string[] {
  const spaced = (withoutUnspaced(word).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap((part) => [
    ...indexTermsOfWord(part),
  ]);
  return [...spaced, ...pairsOf(word)];
}

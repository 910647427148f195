import { finished, type Steps } from '../model/steps.js';
import {
  charactersOf,
  foldedText,
  indexTermsOfWord,
  isUnspaced,
  pairsOf,
  portionsOf,
  withoutUnspaced,
  wordsOf,
} from './terms.js';

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
  return finished(foldingWords(text));
}

/** The same in steps: a message may have a megabyte. */
export function* foldingWords(text: string): Steps<string> {
  let words = '';
  let last = '';
  for (const portion of portionsOf(text)) {
    const found = (foldedText(portion).match(wordPattern) ?? []).join(' ');
    // A portion ends inside a word only if the word is longer than a portion.
    const isInside = wordCharacter.test(last) && wordCharacter.test(portion.charAt(0));
    if (found !== '') words += words === '' || isInside ? found : ` ${found}`;
    last = portion.at(-1) ?? '';
    yield;
  }
  return words;
}

/** Whether `words` occur in a text of folded words: never inside a word, except in scripts without spaces. In steps. */
export function* findingWords(text: string, words: string): Steps<boolean> {
  const isApart = (at: number): boolean => isBoundary(text, at) && isBoundary(text, at + words.length);
  let at = text.indexOf(words.slice(0, mostCompared));
  if (words.length > mostCompared) return at >= 0 && (yield* occurring(text, words, at, isApart));
  for (let tried = 0; at >= 0 && tried < mostTried; tried++) {
    if (isApart(at)) return true;
    at = text.indexOf(words, at + 1);
  }
  return at >= 0 && (yield* occurring(text, words, at, isApart));
}

/** Like `includes`, in steps, and in time linear in the length even if the part repeats itself. */
export function* findingText(text: string, part: string): Steps<boolean> {
  const at = text.indexOf(part.slice(0, mostCompared));
  return at >= 0 && (part.length <= mostCompared || (yield* occurring(text, part, at, () => true)));
}

/**
 * The length up to which `indexOf` is fast for any text; with 32,000 letters that repeat themselves it took 12 s for a
 * megabyte.
 */
const mostCompared = 64;

/**
 * Words that occur inside other words more often than this repeat themselves, so every comparison would read them
 * again.
 */
const mostTried = 16;

/** Whether an accepted occurrence exists from an offset on, reading each letter once (Knuth, Morris and Pratt). */
function* occurring(text: string, words: string, from: number, isWanted: (at: number) => boolean): Steps<boolean> {
  const borders = bordersOf(words);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    if (at % unitsPerStep === 0) yield;
    const unit = text.charCodeAt(at);
    while (matched > 0 && words.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (words.charCodeAt(matched) === unit) matched += 1;
    if (matched < words.length) continue;
    if (isWanted(at + 1 - matched)) return true;
    matched = borders[matched - 1] ?? 0;
  }
  return false;
}

/** Each may be the end of an occurrence, whose surroundings are then checked. */
const unitsPerStep = 8_192;

/** For each prefix of the words, the length of the longest shorter prefix that it ends with. */
function bordersOf(words: string): Uint32Array {
  const borders = new Uint32Array(words.length);
  let length = 0;
  for (let at = 1; at < words.length; at++) {
    const unit = words.charCodeAt(at);
    while (length > 0 && words.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (words.charCodeAt(length) === unit) length += 1;
    borders[at] = length;
  }
  return borders;
}

/** A text with every run of whitespace collapsed to one space. */
export function singleBlanks(text: string): string {
  return finished(singlingBlanks(text));
}

/** The same in steps. */
export function* singlingBlanks(text: string): Steps<string> {
  let single = '';
  let endsBlank = true;
  for (const portion of portionsOf(text)) {
    const part = portion.replace(/\s+/g, ' ');
    single += endsBlank && part.startsWith(' ') ? part.slice(1) : part;
    endsBlank = part.endsWith(' ');
    yield;
  }
  return single.trimEnd();
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

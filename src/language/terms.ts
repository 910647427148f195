import { headOf, isGerman } from './german.js';
import { isPlain, plainFold } from './plain.js';
import { stem } from './stem.js';

/**
 * Search terms of a text: the one analyser behind the index and the query, so that both agree in every store.
 *
 * - Words are Unicode letters and digits, case-folded, with Latin and Greek accents removed (café = cafe).
 * - Identifiers (`B-52`, `foo_bar`, `node.js`, `user@host`) stay whole, and their parts are terms too.
 * - Scripts written without blanks (Chinese, Japanese, Thai …) become overlapping pairs of characters.
 * - Endings that only inflect are cut lightly (cats = cat, baked = baking); of long words in German text
 *   the head is a term of its own.
 */
export function indexTerms(text: string): string[] {
  const terms: string[] = [];
  const words = wordsOf(text);
  for (const word of words) for (const term of termsOfWord(word)) terms.push(term);
  return isGerman(text) ? [...terms, ...headsOf(words)] : terms;
}

/** The distinct terms to look for. A pair of characters says more than each alone, so single ones are left out. */
export function queryTerms(text: string): string[] {
  const words = wordsOf(text);
  const terms = words.flatMap((word) => (isUnspaced(word) ? pairsAsked(word) : termsOfWord(word)));
  return [...new Set(isGerman(text) ? [...terms, ...headsOf(words)] : terms)];
}

function headsOf(words: readonly string[]): string[] {
  return words.flatMap((word) => headOf(word) ?? []);
}

/** Counts how many of the wanted terms a text holds. Made once for a query, used on every candidate. */
export function termCounter(wanted: readonly string[]): (text: string) => number {
  const sought = new Set(wanted);
  const heads = [...new Set(wanted.flatMap((term) => plainHead.exec(term)?.[0] ?? []))];
  // Only words that begin like a wanted term are looked at: a stem keeps the head of its word.
  const likely = new RegExp(`(?<![a-z0-9])(?:${heads.join('|')})[a-z0-9]*(?:[-_.'@:/+#][a-z0-9]+)*(?:\\+\\+|#)?`, 'g');
  return (text) => {
    const plain = isPlain(text);
    if (sought.size === 0 || (plain && heads.length === 0)) return 0;
    const found = new Set<string>();
    const words = plain ? (plainFold(text).match(likely) ?? []) : wordsOf(text);
    for (const word of words) {
      for (const term of termsOfWord(word)) if (sought.has(term)) found.add(term);
      if (found.size === sought.size) break;
    }
    return found.size;
  };
}

/** `stemEnglish` leaves two letters of a word as they are; the third may change already (flies = fly). */
const plainHead = /^[a-z0-9]{1,2}/;

const asciiWord = /[a-z0-9]+(?:[-_.'@:/+#][a-z0-9]+)*(?:\+\+|#)?/g;
const unicodeWord = /[\p{L}\p{N}\p{M}]+(?:[-_.'’@:/+#][\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
const partPattern = /[\p{L}\p{N}\p{M}]+/gu;
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+/gu;
const anyUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** A term longer than this is a hash, a key or base64; its head is enough to find it again. */
const longestTerm = 80;

function wordsOf(text: string): string[] {
  if (isPlain(text)) return plainFold(text).match(asciiWord) ?? [];
  return fold(text).match(unicodeWord) ?? [];
}

/** Case and compatibility forms folded; accents go only where they are not letters of their own (й stays й). */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/([\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu, '$1')
    .replace(/[\u064B-\u065F\u0670]+/gu, '')
    .normalize('NFC');
}

/** A language has few words and uses them often, so the terms of each are made once and kept. */
const known = new Map<string, readonly string[]>();
const mostKnown = 50_000;

function termsOfWord(word: string): readonly string[] {
  const before = known.get(word);
  if (before !== undefined) return before;
  const terms = isUnspaced(word) ? [...charactersOf(word), ...pairsOf(word)] : spacedTerms(word);
  if (known.size >= mostKnown) known.clear();
  // Long words are hashes and keys, seldom met twice.
  if (word.length <= 40) known.set(word, terms);
  return terms;
}

function spacedTerms(word: string): string[] {
  const parts = word.match(partPattern) ?? [];
  const whole = parts.length > 1 || /[+#]$/.test(word) ? [word.replaceAll('’', "'").slice(0, longestTerm)] : [];
  // The tail of a contraction (don't, I'm, we'll) is no word of its own.
  const contracted = /['’]/.test(word);
  const words = parts.filter((part) => !(contracted && parts.length > 1 && part.length <= 2));
  return [...whole, ...words.map((part) => stem(part).slice(0, longestTerm))];
}

function isUnspaced(word: string): boolean {
  return anyUnspaced.test(word);
}

function charactersOf(word: string): string[] {
  return (word.match(unspaced) ?? []).flatMap((run) => [...run]);
}

/** Overlapping pairs of the runs without blanks (a lone character stays), and the other words in between. */
function pairsOf(word: string): string[] {
  const pairs = (word.match(unspaced) ?? []).flatMap((run) => {
    const characters = [...run];
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
  const between = word.replace(unspaced, ' ').match(partPattern) ?? [];
  return [...pairs, ...between.map((part) => stem(part).slice(0, longestTerm))];
}

/**
 * The pairs worth asking for. In Japanese the grammar is written in hiragana, so a pair of those alone says nothing, and
 * a single character between them (猫が) is a word of its own.
 */
function pairsAsked(word: string): string[] {
  const pairs = pairsOf(word);
  const telling = pairs.filter((pair) => !/^\p{sc=Hira}+$/u.test(pair));
  const singles = word.match(/(?<!\p{sc=Han})\p{sc=Han}(?!\p{sc=Han})/gu) ?? [];
  return telling.length === 0 ? pairs : [...telling, ...singles];
}

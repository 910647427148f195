import { stemEnglish } from './stem.js';

/**
 * Search terms of a text: the one analyser behind the index and the query, so that both agree in every store.
 *
 * - Words are Unicode letters and digits, case-folded, with Latin and Greek accents removed (café = cafe).
 * - Identifiers (`B-52`, `foo_bar`, `node.js`, `user@host`) stay whole, and their parts are terms too.
 * - Scripts written without blanks (Chinese, Japanese, Thai …) become overlapping pairs of characters.
 * - English endings are cut lightly (cats = cat, baked = baking).
 */
export function indexTerms(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text)) appendTerms(word, terms, true);
  return terms;
}

/** The distinct terms to look for. A pair of characters says more than each alone, so single ones are left out. */
export function queryTerms(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text)) appendTerms(word, terms, false);
  return [...new Set(terms)];
}

const wordPattern = /[\p{L}\p{N}\p{M}]+(?:[-_.'’@:/+#][\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
const partPattern = /[\p{L}\p{N}]+/gu;
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+/gu;
const hasUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** A term longer than this is a hash, a key or base64; its head is enough to find it again. */
const longestTerm = 80;

function wordsOf(text: string): string[] {
  return fold(text).match(wordPattern) ?? [];
}

/** Case and compatibility forms folded; accents go only where they are not letters of their own (й stays й). */
export function fold(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase();
  // Most text is plain ASCII: the expensive steps would change nothing.
  if (!/[^\p{ASCII}]/u.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/([\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu, '$1')
    .replace(/\p{sc=Arabic}[\u064B-\u065F\u0670]+/gu, (marked) => marked.charAt(0))
    .normalize('NFC');
}

function appendTerms(word: string, terms: string[], singles: boolean): void {
  if (hasUnspaced.test(word)) {
    appendUnspaced(word, terms, singles);
    return;
  }
  const parts = word.match(partPattern) ?? [];
  if (parts.length > 1) terms.push(word.replaceAll('’', "'").slice(0, longestTerm));
  else if (word.endsWith('++') || word.endsWith('#')) terms.push(word.slice(0, longestTerm));
  for (const part of parts) {
    // The tail of a contraction (don't, I'm, we'll) is no word of its own.
    if (parts.length > 1 && part.length <= 2 && /['’]/.test(word)) continue;
    terms.push(stemEnglish(part).slice(0, longestTerm));
  }
}

function appendUnspaced(word: string, terms: string[], singles: boolean): void {
  for (const run of word.match(unspaced) ?? []) {
    const characters = [...run];
    if (singles || characters.length === 1) terms.push(...characters);
    for (let index = 0; index + 1 < characters.length; index++) {
      terms.push(`${characters[index]}${characters[index + 1]}`);
    }
  }
  for (const rest of word.replace(unspaced, ' ').match(partPattern) ?? []) terms.push(stemEnglish(rest));
}

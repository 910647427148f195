import { languageOf } from './language-of.js';
import { derived } from './languages.js';
import { stopTermsOf } from './stop-words.js';
import { charactersOf, foldedText, isUnspaced, queryTerms, subjectOf } from './terms.js';

/**
 * What other forms of a query's words have in common with it, letter by letter: the head of a word wherever it stands
 * (German "Karten" in "Fahrradkarte"), a single Chinese character. Too loose to search
 * an index for, good enough to tell candidates apart.
 */
export function piecesOf(query: string): string[] {
  const stops = stopTermsOf(languageOf(query));
  const words = foldedText(query).match(/[\p{L}\p{M}]+/gu) ?? [];
  const pieces = words.flatMap((word) => {
    if (isUnspaced(word)) return charactersOf(subjectOf(word)).filter((character) => !/\p{sc=Hira}/u.test(character));
    return queryTerms(word).every((term) => stops.has(term)) ? [] : headOf(word);
  });
  return [...new Set(pieces)];
}

/** Two letters less than the word, but four to six: endings differ, and the tail of a long word says little. */
function headOf(word: string): string[] {
  const bare = prefixes().reduce((rest, prefix) => rest.replace(prefix, ''), word);
  const shortest = /^\p{sc=Arabic}/u.test(bare) ? 3 : 4;
  if (bare.length < shortest) return [];
  return [bare.slice(0, Math.max(shortest, Math.min(6, bare.length - 2)))];
}

const prefixes = derived((languages) => languages.flatMap(({ words }) => words?.prefix ?? []));

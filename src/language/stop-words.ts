import { languageOf } from './language-of.js';
import { derived, languageByCode, wordList } from './languages.js';
import { queryTerms } from './terms.js';

/**
 * The terms worth looking for: all of them when nothing but function words was asked. Function words stay in the index,
 * so that a text made of them can still be found, and leave a query that has anything better.
 */
export function contentTerms(query: string): string[] {
  const terms = queryTerms(query);
  const stopTerms = stopTermsOf(languageOf(query));
  const content = terms.filter((term) => !stopTerms.has(term));
  return content.length > 0 ? content : terms;
}

const known = derived(() => new Map<string, ReadonlySet<string>>());

/** The terms of a language's function words. */
export function stopTermsOf(language: string): ReadonlySet<string> {
  const before = known().get(language);
  if (before !== undefined) return before;
  const terms = new Set(functionWordsOf(language).flatMap((word) => queryTerms(word)));
  known().set(language, terms);
  return terms;
}

export function functionWordsOf(language: string): readonly string[] {
  return wordList(languageByCode(language)?.words?.functionWords ?? '');
}

import { functionWords, type Language } from './function-words.js';
import { languageOf } from './language-of.js';
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

const known = new Map<Language, ReadonlySet<string>>();

/** The terms of a language's function words. */
export function stopTermsOf(language: Language): ReadonlySet<string> {
  const before = known.get(language);
  if (before !== undefined) return before;
  const terms = new Set(functionWords[language].flatMap((word) => queryTerms(word)));
  known.set(language, terms);
  return terms;
}

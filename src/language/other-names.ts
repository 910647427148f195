import { languageOf } from './language-of.js';
import { derived, languageByCode } from './languages.js';
import { queryTerms } from './terms.js';

/*
 * Everyday words that people call by two names: one to their family, another in writing; one in this country, another in
 * the next. Nothing in their letters says that they mean the same, and a model of English does not know it elsewhere.
 */

/** The terms of the other names of what a query speaks of, without those that the query has itself. */
export function otherNames(query: string, terms: readonly string[]): string[] {
  const names = namesOf(languageOf(query));
  const asked = new Set(terms);
  return [...new Set(terms.flatMap((term) => names.get(term) ?? []))].filter((term) => !asked.has(term));
}

const known = derived(() => new Map<string, ReadonlyMap<string, readonly string[]>>());

function namesOf(language: string): ReadonlyMap<string, readonly string[]> {
  const before = known().get(language);
  if (before !== undefined) return before;
  const names = new Map<string, readonly string[]>();
  for (const group of languageByCode(language)?.words?.otherNames ?? []) {
    const terms = queryTerms(group, language);
    for (const term of terms) names.set(term, terms);
  }
  known().set(language, names);
  return names;
}

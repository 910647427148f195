import { languageOf } from './language-of.js';
import { derived, languageByCode } from './languages.js';
import { queryTerms } from './terms.js';

/** A word of the question, and the terms of its other forms. */
export interface VerbForms {
  word: string;
  others: readonly string[];
}

/** The other forms of the irregular verbs in a query, by their terms: who asks what I buy finds what I bought. */
export function verbFormsOf(query: string, terms: readonly string[]): Map<string, VerbForms> {
  const verbs = formsIn(languageOf(query));
  return new Map(
    terms.flatMap((term): [string, VerbForms][] => {
      const forms = verbs.get(term);
      return forms === undefined ? [] : [[term, forms]];
    }),
  );
}

const known = derived(() => new Map<string, ReadonlyMap<string, VerbForms>>());

function formsIn(language: string): ReadonlyMap<string, VerbForms> {
  const before = known().get(language);
  if (before !== undefined) return before;
  const verbs = new Map<string, VerbForms>();
  const lines = languageByCode(language)?.words?.irregularVerbs?.trim().split(/[|\n]/) ?? [];
  for (const verb of lines) {
    const words = verb.split(' ');
    for (const word of words) {
      const others = words.filter((other) => other !== word).flatMap((other) => queryTerms(other, language));
      for (const term of queryTerms(word, language)) verbs.set(term, { word, others });
    }
  }
  known().set(language, verbs);
  return verbs;
}

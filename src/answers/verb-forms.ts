import { indexTerms } from '../language/terms.js';
import type { WeightedTerm } from './hit.js';
import type { SupportRules } from './support.js';

/** The rules for texts that say a word of the question in another form: who bought something did buy it. */
export function acrossForms(rules: SupportRules, terms: readonly WeightedTerm[]): SupportRules {
  const asked = new Map<string, string>();
  for (const { forms } of terms) for (const other of forms?.others ?? []) asked.set(other, forms?.word ?? other);
  if (asked.size === 0) return rules;
  const withAsked = (text: string): string => {
    const words = new Set(indexTerms(text).flatMap((term) => asked.get(term) ?? []));
    return words.size === 0 ? text : `${text} ${[...words].join(' ')}`;
  };
  return {
    coverageOf: (text) => rules.coverageOf(withAsked(text)),
    supportOf: (hit, before, options) => {
      const read = before === undefined ? undefined : { ...before, text: withAsked(before.text) };
      return rules.supportOf({ ...hit, text: withAsked(hit.text) }, read, options);
    },
  };
}

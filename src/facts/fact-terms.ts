import { indexTerms } from '../language/terms.js';
import type { Fact } from '../model/fact.js';

/** The words a fact is found by. */
export function factTerms(fact: Pick<Fact, 'subject' | 'predicate' | 'object_raw' | 'object_normalized'>): string[] {
  const words = [fact.subject, fact.predicate.replaceAll('_', ' '), fact.object_raw, fact.object_normalized];
  return [...new Set(indexTerms(words.join(' ')))];
}

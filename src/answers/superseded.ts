import type { Fact } from '../model/fact.js';
import type { SupportRules } from './support.js';

/** Words of a hit that state what is no longer so. */
export interface Superseded {
  words: string;
  fact: Fact;
  /** What took its place and stands; absent when it only ended. */
  successor?: Fact;
}

/**
 * What is no longer so of a quote, as far as the question is about it. A sentence may say more than one thing, so what
 * counts is where the words of the question stand: within what is over, or in the rest.
 */
export function overIn(quote: string, superseded: readonly Superseded[], rules: SupportRules): Superseded[] {
  const there = superseded.filter(({ words }) => words !== '' && quote.includes(words));
  if (there.length === 0) return [];
  const whole = rules.coverageOf(quote);
  const rest = without(quote, there);
  if (/[\p{L}\p{N}]/u.test(rest) && rules.coverageOf(rest) >= whole / 2) return [];
  const asked = there.filter((each) => rules.coverageOf(without(quote, [each])) < whole);
  return asked.length > 0 ? asked : there;
}

function without(quote: string, superseded: readonly Superseded[]): string {
  return superseded.reduce((rest, { words }) => rest.replaceAll(words, ' '), quote);
}

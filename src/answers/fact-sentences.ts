import type { FactSentences } from '../language/language.js';
import { spokenIn } from '../language/languages.js';
import type { Fact } from '../model/fact.js';
import { displayDay } from './dates.js';

/** How facts are told in one language. */
export interface FactTeller {
  words: FactSentences;
  /** One sentence for facts of one subject and predicate, with their values as they were normalized. */
  sentenceOf(facts: readonly Fact[]): string;
  /** An age was true on the day it was said. */
  shownValue(fact: Fact): string;
  /** A value with the day on which it was said. */
  saidOn(value: string, at: string): string;
}

/** What can be said with "is": your sister is Eva. */
const named = /^(?:relation|pet|date|favorite)_/u;

/** Tells facts in a language, or in the first one that has the words for it. */
export function factTeller(language: string): FactTeller {
  const words = spokenIn(language, 'facts');
  const shownValue = ({ predicate, object_normalized, stated_at }: Fact): string =>
    predicate === 'profile_age'
      ? filled(words.on, { '': object_normalized, day: displayDay(stated_at) })
      : object_normalized;
  const sentenceOf = (facts: readonly Fact[]): string => {
    const [first] = facts;
    if (first === undefined) return '';
    const values = listed(facts.map(shownValue), words.and);
    const { predicate, subject_key, subject } = first;
    const parts = { '': values, what: wordsOf(predicate), who: subject };
    if (subject_key !== 'user') return filled(words.of, parts);
    const family = predicate.startsWith('owns_') ? 'owns_' : predicate;
    const template = words.sentences[family];
    if (template !== undefined) return filled(template, parts);
    return filled(facts.length === 1 && named.test(predicate) ? words.is : words.list, parts);
  };
  return {
    words,
    sentenceOf,
    shownValue,
    saidOn: (value, at) => filled(words.saidOn, { '': value, day: displayDay(at) }),
  };
}

/** The template with its slots filled; `{}` is the one without a name. */
export function filled(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w*)\}/g, (slot, name: string) => parts[name] ?? slot);
}

function wordsOf(predicate: string): string {
  return predicate.replace(/^(?:profile|relation|pet|date)_/u, '').replaceAll('_', ' ');
}

/** Values keep their own words; those that hold commas are kept apart by semicolons. */
function listed(values: readonly string[], and: string): string {
  const mark = values.some((value) => value.includes(',')) ? '; ' : ', ';
  if (values.length < 2) return values.join('');
  return `${values.slice(0, -1).join(mark)}${and}${values.at(-1)}`;
}

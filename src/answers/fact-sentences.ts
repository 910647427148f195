import type { Fact } from '../model/fact.js';
import { displayDay } from './dates.js';

/** How a fact about the user reads; `{}` is its normalized value, or several of them. */
const sentences: Readonly<Record<string, string>> = {
  profile_name: 'Your name is {}.',
  profile_surname: 'Your family name is {}.',
  profile_nickname: 'You want to be called {}.',
  profile_email: 'Your email address is {}.',
  profile_location: 'You live in {}.',
  profile_origin: 'You are from {}.',
  profile_role: 'Your job: {}.',
  profile_employer: 'You work for {}.',
  profile_birthday: 'Your birthday is {}.',
  profile_birth_year: 'You were born in {}.',
  profile_identity: 'You are {}.',
  profile_condition: 'Your health: {}.',
  allergic_to: 'You are allergic to {}.',
  family: 'You have {}.',
  likes: 'You like {}.',
  dislikes: 'You dislike {}.',
  prefers: 'You prefer {}.',
  speaks: 'You speak {}.',
  native_language: 'Your native language is {}.',
  knows: 'You know {}.',
  plays: 'You play {}.',
  learning: 'You are learning {}.',
};

/** What can be said with "is": your sister is Eva. */
const named = /^(?:relation|pet|date|favorite)_/u;

/** One sentence for facts of one subject and predicate, with their values as they were normalized. */
export function sentenceOf(facts: readonly Fact[]): string {
  const [first] = facts;
  if (first === undefined) return '';
  const values = listed(facts.map(shownValue));
  const { predicate, subject_key, subject } = first;
  if (subject_key !== 'user') return `${subject}, ${wordsOf(predicate)}: ${values}.`;
  const template = sentences[predicate];
  if (template !== undefined) return template.replace('{}', () => values);
  if (predicate.startsWith('owns_')) return `You own ${values}.`;
  return `Your ${wordsOf(predicate)}${facts.length === 1 && named.test(predicate) ? ' is ' : ': '}${values}.`;
}

/** An age was true on the day it was said. */
export function shownValue({ predicate, object_normalized, stated_at }: Fact): string {
  return predicate === 'profile_age' ? `${object_normalized} (on ${displayDay(stated_at)})` : object_normalized;
}

function wordsOf(predicate: string): string {
  return predicate.replace(/^(?:profile|relation|pet|date)_/u, '').replaceAll('_', ' ');
}

/** Values keep their own words; those that hold commas are kept apart by semicolons. */
function listed(values: readonly string[]): string {
  const mark = values.some((value) => value.includes(',')) ? '; ' : ', ';
  if (values.length < 2) return values.join('');
  return `${values.slice(0, -1).join(mark)} and ${values.at(-1)}`;
}

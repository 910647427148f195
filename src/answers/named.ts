import { nameTerms } from '../language/names.js';
import { indexTerms } from '../language/terms.js';
import type { Hit } from './hit.js';
import { around, near, type Passage } from './passages.js';
import type { Question } from './question.js';

/** Whom a question names, and where else than in a turn itself a name may stand. */
export interface NamedInput {
  question: Question;
  /** The terms of the speakers' names in the question. */
  people: ReadonlySet<string>;
  before: (hit: Hit) => Hit | undefined;
  /** What a hit's conversation is said to be about. */
  heading: (hit: Hit) => string;
}

/** Whether it is by or about somebody the question names; undefined when it names none of those who speak. */
export function isAboutNamed(hit: Hit, { people, before }: NamedInput): boolean | undefined {
  if (people.size === 0 || hit.speaker === undefined) return undefined;
  const words = [...nameTerms(hit.speaker), ...indexTerms(hit.text), ...indexTerms(before(hit)?.text ?? '')];
  return words.some((word) => people.has(word));
}

/**
 * The names of the question that stand neither in the passage nor around it: what it says may be about somebody else.
 * Between people who speak in turn `isAboutNamed` tells; a turn there seldom says the name of its speaker.
 */
export function unmentionedIn(passage: Passage, input: NamedInput): string[] {
  const { hit, quote, context } = passage;
  if (isAboutNamed(hit, input) !== undefined) return [];
  const { names } = input.question;
  if (names.length === 0) return [];
  const before = near(input.before(hit), context)?.text ?? '';
  const words = new Set([around(hit.text, quote), before, input.heading(hit)].flatMap(indexTerms));
  return names.filter(({ terms }) => !terms.some((term) => words.has(term))).map(({ written }) => written);
}

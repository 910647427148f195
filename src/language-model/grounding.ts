import { namesIn } from '../answers/question.js';
import { alternatives, derived, languageOf } from '../language/languages.js';
import { contentTerms } from '../language/query-terms.js';
import { foldedText, indexTerms, queryTerms } from '../language/terms.js';

/** The text of a cited piece of evidence, and the days it mentions. */
export interface Ground {
  text: string;
  days: readonly string[];
}

/** The maximum share of words in a sentence that neither the evidence nor the question has; rephrasing needs some. */
const mostNew = 1 / 3;

/**
 * Whether the words of a sentence come from the evidence it cites. The model may rephrase but not add: every number and
 * name must be in the evidence or the question, most of the other words too, and at least one word in the evidence
 * itself. A negated sentence needs negated evidence.
 */
export function isGrounded(
  sentence: string,
  { question, cited }: { question: string; cited: readonly Ground[] },
): boolean {
  const language = languageOf(question);
  const days = cited.flatMap((ground) => ground.days).flatMap((day) => dayWords(day, language));
  const said = cited.map(({ text }) => text).join('\n');
  const stated = new Set([...indexTerms(said), ...queryTerms(said), ...days.flatMap((day) => queryTerms(day))]);
  const asked = new Set([...indexTerms(question), ...queryTerms(question)]);
  const isKnown = (term: string): boolean => stated.has(term) || asked.has(term);
  const isFormOfKnown = formsOf([...stated, ...asked]);

  const numbers = new Set([said, question, ...days].flatMap(numbersIn));
  if (!numbersIn(sentence).every((number) => numbers.has(number))) return false;
  if (!namesIn(sentence).every(({ terms }) => terms.some(isKnown))) return false;
  if (denies(sentence) && !denies(said)) return false;
  const terms = contentTerms(sentence);
  const isNew = (term: string): boolean => !isKnown(term) && !isFormOfKnown(term);
  return terms.some((term) => stated.has(term)) && terms.filter(isNew).length <= terms.length * mostNew;
}

/**
 * Whether a word may be an inflection of a known one: wohnst of wohne. The stemmer of the index does not cover these.
 */
function formsOf(known: readonly string[]): (term: string) => boolean {
  const byHead = new Map<string, string[]>();
  for (const term of known) {
    const alike = byHead.get(term.slice(0, head));
    if (alike === undefined) byHead.set(term.slice(0, head), [term]);
    else alike.push(term);
  }
  return (term) => {
    const alike = term.length >= head && /^\p{L}+$/u.test(term) ? (byHead.get(term.slice(0, head)) ?? []) : [];
    return alike.some((other) => Math.abs(other.length - term.length) <= mostEnding && other.length >= head);
  };
}

/** Minimum shared prefix and maximum differing suffix, in letters. */
const head = 4;
const mostEnding = 2;

/** Numbers without thousands separators and leading zeros. */
function numbersIn(text: string): string[] {
  const found = text.match(/\p{N}+(?:[.,]\p{N}+)*/gu) ?? [];
  return found.map((number) => number.replace(/[.,]/g, '').replace(/^0+(?=\d)/, ''));
}

/** The words a day may be written with: its numbers and the names of its month and weekday. */
function dayWords(day: string, language: string): string[] {
  const time = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(time)) return [];
  return [...new Set(['en', language])].flatMap((locale) =>
    formatsOf(locale).map((format) => foldedText(format.format(time))),
  );
}

const formats = new Map<string, Intl.DateTimeFormat[]>();

function formatsOf(locale: string): Intl.DateTimeFormat[] {
  const known = formats.get(locale);
  if (known !== undefined) return known;
  const made = (['long', 'short', 'numeric'] as const).map(
    (month) =>
      new Intl.DateTimeFormat(locale, { day: 'numeric', month, year: 'numeric', weekday: 'long', timeZone: 'UTC' }),
  );
  formats.set(locale, made);
  return made;
}

/** A leading "No," as in "No, you live in Leeds" is not a negation that the evidence must contain. */
function denies(text: string): boolean {
  return negation().test(text.toLowerCase().replace(/^\s*\p{L}+,/u, ''));
}

const negation = derived(
  () =>
    new RegExp(
      `(?<![\\p{L}-])(?:${alternatives(({ facts }) => facts?.values?.negation)})(?![\\p{L}-])|n['’]t(?!\\p{L})`,
      'u',
    ),
);

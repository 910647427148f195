import type { DateWords } from '../language/language.js';
import { alternatives, derived, isUnspacedScript, wordList, wordSet } from '../language/languages.js';
import { indexTerms, stem } from '../language/terms.js';
import { foldText, monthNames, timeLanguages } from '../language/time/phrases.js';
import type { Fact } from '../model/fact.js';
import type { JsonObject } from '../model/json.js';
import { normalForm } from '../model/text.js';
import { kindOf, type ValueForm } from './predicates.js';

interface ObjectValue {
  /** The display form. */
  normalized: string;
  /** The comparison key: equal keys are the same value. */
  key: string;
  /** What was normalized for display, and to what. */
  normalization?: JsonObject;
}

/** The display form and the comparison key of a value, according to its predicate. */
export function readValue(predicate: string, raw: string): ObjectValue {
  const form = kindOf(predicate)?.form ?? 'text';
  const text = raw.replace(/\s+/g, ' ').trim();
  return readers[form](text);
}

const readers: Record<ValueForm, (text: string) => ObjectValue> = {
  text: (text) => ({ normalized: text, key: keyOf(text) }),
  name(text) {
    const normalized = casedName(text);
    if (normalized === text) return { normalized, key: keyOf(text) };
    return { normalized, key: keyOf(text), normalization: { casing: { raw: text, normalized } } };
  },
  date(text) {
    const date = readDate(text);
    if (date === undefined) return { normalized: text, key: keyOf(text) };
    const normalization = { date: { raw: text, normalized: date.long, iso: date.iso, precision: 'day' } };
    return { normalized: date.long, key: date.iso, normalization };
  },
  number(text) {
    const number = readNumber(text);
    if (number === undefined || number === text) return { normalized: text, key: keyOf(text) };
    return { normalized: number, key: number, normalization: { number: { raw: text, normalized: number } } };
  },
};

/** Folds case, accents, articles, punctuation and number words, so that they do not make a different value. */
export function keyOf(text: string): string {
  const letters = normalForm(text, 'NFKD').replace(/(\p{Script=Latin})\p{M}+/gu, '$1');
  const folded = normalForm(letters, 'NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}+#@.]+/gu, ' ')
    .replace(/\.(?=\s|$)/g, '')
    .trim();
  const { determiners, units } = words();
  const parts = folded
    .split(' ')
    .map((word) => units.get(word) ?? (/^\p{sc=Cyrillic}/u.test(word) ? stem(word) : word));
  const first = parts.findIndex((word) => !determiners.has(word));
  return parts
    .slice(first < 0 ? -1 : first)
    .join(' ')
    .slice(0, 200);
}

const words = derived((languages) => {
  const values = languages.flatMap(({ facts }) => facts?.values ?? []);
  const counted = (part: 'units' | 'tens', first: number, step: number): [string, string][] =>
    values.flatMap(({ [part]: list = '' }) =>
      wordList(list).map((word, index): [string, string] => [word, String(first + index * step)]),
    );
  return {
    determiners: wordSet(({ facts }) => facts?.values?.determiners),
    particles: wordSet(({ facts }) => facts?.values?.nameParticles),
    units: new Map(counted('units', 0, 1)),
    tens: new Map(counted('tens', 20, 10).map(([word, number]) => [word, Number(number)])),
  };
});

/** `34`, `thirty-four` and `34 years old` as digits. */
export function readNumber(text: string): string | undefined {
  const digits = /^[0-9]{1,4}(?![0-9])/.exec(text)?.[0];
  if (digits !== undefined) return digits;
  const [first = '', second] = text.toLowerCase().split(/[\s-]+/);
  const { tens, units } = words();
  const ten = tens.get(first);
  if (ten === undefined) return units.get(first);
  const unit = second === undefined ? undefined : units.get(second);
  return String(ten + (unit === undefined || Number(unit) > 9 ? 0 : Number(unit)));
}

/** Capitalizes lower-case words; mixed case (McDonald, DeShawn) is a deliberate spelling and stays. */
export function casedName(text: string): string {
  const parts = text.split(' ');
  return parts.map((word, index) => casedWord(word, index > 0 && index < parts.length - 1)).join(' ');
}

function casedWord(word: string, inside: boolean): string {
  if (inside && words().particles.has(word)) return word;
  if (word !== word.toLowerCase() || !/^\p{Ll}/u.test(word)) return word;
  return word.replace(/(?<![\p{L}\p{M}])\p{Ll}|(?<=\b[od]['’])\p{Ll}/gu, (letter) => letter.toUpperCase());
}

interface DateValue {
  /** `1990-05-03`, or `--05-03` without a year. */
  iso: string;
  /** `May 3, 1990` or `May 3`. */
  long: string;
}

const shapes = derived((languages) => {
  const any = (part: keyof DateWords): string => alternatives(({ time }) => time?.dates?.[part]);
  const spaced = timeLanguages().filter(({ script }) => !isUnspacedScript(script));
  const anyMonth = monthNames()
    .map((_, index) => `(?<m${index}>${spaced.flatMap(({ months }) => months?.[index] ?? []).join('|')})`)
    .join('|');
  const lead = `(?:(?:${any('lead')}) )*`;
  const weekday = `(?:(?:${any('weekday')}),? )?`;
  const day = `(?<day>[0-9]{1,2})(?:${any('ordinal')}|\\.)?`;
  const year = `(?:,? (?:(?:${any('beforeYear')}) )?(?<year>[12][0-9]{3})(?: (?:${any('afterYear')}))?)?`;
  return [
    '(?<year>[12][0-9]{3})[-/.](?<month>[0-9]{1,2})[-/.](?<day>[0-9]{1,2})',
    ...languages.flatMap(({ time }) => time?.dates?.shape ?? []),
    '(?<day>[0-9]{1,2})\\.(?<month>[0-9]{1,2})\\.(?<year>[12][0-9]{3})?',
    `(?:${anyMonth}) (?:(?:${any('beforeDay')}) )?${day}${year}`,
    `${day}(?: (?:${any('beforeMonth')}))? (?:${anyMonth})${year}`,
  ].map((shape) => new RegExp(`^${lead}${weekday}${lead}${shape}$`, 'u'));
});

/** The whole text as a calendar day, in any of the languages; undefined when it is not one. */
export function readDate(text: string): DateValue | undefined {
  const { folded } = foldText(text.trim());
  for (const shape of shapes()) {
    const groups = shape.exec(folded)?.groups;
    if (groups === undefined) continue;
    const month = groups.month === undefined ? namedMonth(groups) : Number(groups.month) - 1;
    const date = Number(groups.day);
    const name = monthNames()[month];
    if (name === undefined || date < 1 || date > daysIn(month)) return undefined;
    const end = `${pad(month + 1)}-${pad(date)}`;
    return groups.year === undefined
      ? { iso: `--${end}`, long: `${name} ${date}` }
      : { iso: `${groups.year}-${end}`, long: `${name} ${date}, ${groups.year}` };
  }
  return undefined;
}

function namedMonth(groups: Record<string, string | undefined>): number {
  return monthNames().findIndex((_, index) => groups[`m${index}`] !== undefined);
}

/** 29 February is accepted in any year: a birthday may come without one. */
function daysIn(month: number): number {
  return [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

/** The search terms of a fact. */
export function factTerms(fact: Pick<Fact, 'subject' | 'predicate' | 'object_raw' | 'object_normalized'>): string[] {
  const words = [fact.subject, fact.predicate.replaceAll('_', ' '), fact.object_raw, fact.object_normalized];
  return [...new Set(indexTerms(words.join(' ')))];
}

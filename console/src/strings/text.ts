import { de } from './de.js';
import { en, type Key } from './en.js';
import { es } from './es.js';
import { pluralForm } from './plural-form.js';

export const languages = { en, de, es } satisfies Record<string, Record<Key, string>>;
export type Language = keyof typeof languages;

const storageKey = 'threadkeep.language';

export function languageNow(): Language {
  const kept = localStorage.getItem(storageKey);
  if (kept !== null && kept in languages) return kept as Language;
  const own = navigator.language.split('-')[0] ?? '';
  return own in languages ? (own as Language) : 'en';
}

/** Reloads the page, because every string on it changes. */
export function changeLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  location.reload();
}

const words = languages[languageNow()];

/** The user's regional variant of the language: British and American dates differ. */
export const locale = navigator.languages.find((each) => each.split('-')[0] === languageNow()) ?? languageNow();

const plurals = new Intl.PluralRules(locale);
const numberFormat = new Intl.NumberFormat(locale);

/** The words for a key; `{n}` and the like are filled in. The forms of a plural are separated by bars (see `pluralForm`). */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const category = typeof values.n === 'number' ? plurals.select(values.n) : 'other';
  const text = pluralForm(words[key], category);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? numberFormat.format(value) : (value ?? whole);
  });
}

export function number(value: number): string {
  return numberFormat.format(value);
}

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

export function percent(share: number): string {
  return percentFormat.format(share);
}

const sizes: readonly [string, number][] = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
];

/** A size in the largest unit that fits. */
export function bytes(value: number): string {
  const [unit, length] = sizes.find(([, each]) => value >= each) ?? ['byte', 1];
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(value / length);
}

const spanUnits: readonly [unit: string, length: number, least: number][] = [
  ['hour', 3_600, 5_400],
  ['minute', 60, 90],
];

/** A span of time in seconds, rounded to the unit that fits. */
export function duration(seconds: number): string {
  const [unit, length] = spanUnits.find(([, , least]) => seconds >= least) ?? ['second', 1];
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 });
  return format.format(Math.max(1, Math.round(seconds / length)));
}

const utcDayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const momentFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const clockFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });

/** A plain date stays the day it names; a time is on the day it was here. */
export function day(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return (time.length === 10 ? utcDayFormat : dayFormat).format(date);
}

/** The day and the hour here, in full. */
export function moment(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : momentFormat.format(date);
}

/** The hour here. */
export function clock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : clockFormat.format(date);
}

/** Today and yesterday by name, with the hour; otherwise the day. */
export function lately(time: string): string {
  const passed = daysAgo(time);
  return passed === 0 || passed === 1 ? `${agoFormat.format(-passed, 'day')} ${clock(time)}` : day(time);
}

/** Under which heading of a history it is: today, yesterday, or its month. */
export function dayGroup(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const passed = daysAgo(time);
  const words = passed === 0 || passed === 1 ? agoFormat.format(-passed, 'day') : monthFormat.format(date);
  return words.slice(0, 1).toLocaleUpperCase(locale) + words.slice(1);
}

function daysAgo(time: string): number {
  const midnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((midnight(new Date()) - midnight(new Date(time))) / 86_400_000);
}

const spans: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
];
const agoFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** How long ago, in the largest unit that fits; within a day it is today. */
export function ago(time: string): string {
  const passed = Date.now() - new Date(time).getTime();
  const [unit, length] = spans.find(([, each]) => Math.abs(passed) >= each) ?? ['day', 86_400_000];
  return agoFormat.format(-Math.trunc(passed / length), unit);
}

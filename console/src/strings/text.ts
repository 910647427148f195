import { de } from './de.js';
import { en, type Key } from './en.js';

export const languages = { en, de } satisfies Record<string, Record<Key, string>>;
export type Language = keyof typeof languages;

const storageKey = 'threadkeep.language';

export function languageNow(): Language {
  const kept = localStorage.getItem(storageKey);
  if (kept !== null && kept in languages) return kept as Language;
  return navigator.language.startsWith('de') ? 'de' : 'en';
}

/** The page is loaded anew, because every word on it changes. */
export function changeLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  location.reload();
}

const words = languages[languageNow()];

/** The words for a key; `{n}` and the like are filled in. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return words[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const dayFormat = new Intl.DateTimeFormat(languageNow(), { dateStyle: 'medium', timeZone: 'UTC' });
const numberFormat = new Intl.NumberFormat(languageNow());

export function day(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : dayFormat.format(date);
}

export function number(value: number): string {
  return numberFormat.format(value);
}

const spans: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
];
const agoFormat = new Intl.RelativeTimeFormat(languageNow(), { numeric: 'auto' });

/** How long ago, in the largest unit that fits; within a day it is today. */
export function ago(time: string): string {
  const passed = Date.now() - new Date(time).getTime();
  const [unit, length] = spans.find(([, each]) => Math.abs(passed) >= each) ?? ['day', 86_400_000];
  return agoFormat.format(-Math.trunc(passed / length), unit);
}

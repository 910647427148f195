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

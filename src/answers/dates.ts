import { languageByCode, spokenIn } from '../language/languages.js';
import { monthNames } from '../language/time/phrases.js';
import { timesSaid } from '../language/time/time-intent.js';

/** A time named in a sentence, resolved to days: "yesterday" said on 8 May means 7 May. */
export interface NamedTime {
  phrase: string;
  /** The first and last day, `2023-05-07`. */
  from: string;
  to: string;
  /** The display form: `7 May 2023`, `May 2023`, `the week of 1 May 2023`. */
  display: string;
}

/**
 * Resolves the times in a sentence relative to the day it was said, displayed in a language. Ambiguous times are left as
 * written.
 */
export function timesNamed(sentence: string, saidAt: string, language = 'en'): NamedTime[] {
  const spans = timesSaid(sentence, saidAt);
  const phrases = [...new Set(spans.map(({ phrase }) => phrase))];
  return phrases.flatMap((phrase) => {
    const [only, ...more] = spans.filter((span) => span.phrase === phrase);
    if (only === undefined || more.length > 0 || only.certainty < sureEnough) return [];
    const from = only.from.slice(0, 10);
    const to = only.to.slice(0, 10);
    return [{ phrase, from, to, display: (only.isRange ? displayRange : displaySpan)(from, to, language) }];
  });
}

/** Below this certainty, another reading of the time is more likely. */
const sureEnough = 0.5;

/** Both ends were named, so both are shown. */
function displayRange(from: string, to: string, language: string): string {
  if (isWholeMonths(from, to)) return displaySpan(from, to, language);
  return filled(spokenIn(language, 'spans').range, {
    from: displayDay(from, language),
    to: displayDay(to, language),
  });
}

export function displayDay(day: string, language = 'en'): string {
  return displayed(day, language, 'day');
}

/** A span in its shortest display form. */
export function displaySpan(from: string, to: string, language = 'en'): string {
  if (from === to) return displayDay(from, language);
  const words = spokenIn(language, 'spans');
  const [year = ''] = from.split('-');
  const length = daysBetween(from, to) + 1;
  const wholeMonths = isWholeMonths(from, to);
  if (wholeMonths && from.slice(5) === '01-01' && to === `${year}-12-31`) return displayed(from, language, 'year');
  const monthOf = (day: string): string => displayed(day, language, 'month');
  if (wholeMonths && from.slice(0, 7) === to.slice(0, 7)) return monthOf(from);
  if (wholeMonths) return filled(words.range, { from: monthOf(from), to: monthOf(to) });
  const weekday = new Date(`${from}T00:00:00Z`).getUTCDay();
  if (length === 7 && weekday === 1) return filled(words.weekOf, { '': displayDay(from, language) });
  if (length === 2 && weekday === 6) return filled(words.weekendOf, { '': displayDay(from, language) });
  if (length <= 32 && length % 2 === 1)
    return filled(words.about, { '': displayDay(addDays(from, (length - 1) / 2), language) });
  return filled(words.between, { from: displayDay(from, language), to: displayDay(to, language) });
}

/** The day of a date fact, `March 5, 1990`, as it is written in a language; any other value is unchanged. */
export function displayValue(value: string, language: string): string {
  if (language === storedIn) return value;
  const [, name = '', date = '', year] = /^(\p{L}{3,9}) (\d{1,2})(?:, (\d{4}))?$/u.exec(value) ?? [];
  const month = monthNames().indexOf(name);
  if (month < 0) return value;
  const pad = (part: number | string): string => String(part).padStart(2, '0');
  const day = `${year ?? anyYear}-${pad(month + 1)}-${pad(date)}`;
  return displayed(day, language, year === undefined ? 'dayOfYear' : 'day');
}

/** Dates of facts are stored as this language writes them. */
const storedIn = 'en';
/** A leap year, so that it has every day. */
const anyYear = '2024';

const shapes = {
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { day: 'numeric', month: 'short', year: 'numeric' },
  dayOfYear: { day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
} as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A day, or the month or year it is in, as a language writes it. What is no date is shown as it is. */
export function displayed(day: string, language: string, shape: keyof typeof shapes): string {
  const key = `${language} ${shape}`;
  const locale = languageByCode(language)?.answers?.dayFormat ?? language;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...shapes[shape], timeZone: 'UTC' });
  formats.set(key, format);
  const time = Date.parse(day);
  return Number.isNaN(time) ? day.slice(0, 10) : format.format(time);
}

/** Fills the slots of a template; `{}` is the slot without a name. */
export function filled(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w*)\}/g, (slot, name: string) => parts[name] ?? slot);
}

function isWholeMonths(from: string, to: string): boolean {
  return from.endsWith('-01') && dayAfter(to).endsWith('-01');
}

const dayLength = 86_400_000;

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayLength);
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayLength).toISOString().slice(0, 10);
}

function dayAfter(day: string): string {
  return addDays(day, 1);
}

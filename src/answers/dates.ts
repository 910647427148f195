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

/** Resolves the times in a sentence relative to the day it was said. Ambiguous times are left as written. */
export function timesNamed(sentence: string, saidAt: string): NamedTime[] {
  const spans = timesSaid(sentence, saidAt);
  const phrases = [...new Set(spans.map(({ phrase }) => phrase))];
  return phrases.flatMap((phrase) => {
    const [only, ...more] = spans.filter((span) => span.phrase === phrase);
    if (only === undefined || more.length > 0 || only.certainty < sureEnough) return [];
    const from = only.from.slice(0, 10);
    const to = only.to.slice(0, 10);
    return [{ phrase, from, to, display: only.isRange ? displayRange(from, to) : displaySpan(from, to) }];
  });
}

/** Below this certainty, another reading of the time is more likely. */
const sureEnough = 0.5;

/** Both ends were named, so both are shown. */
function displayRange(from: string, to: string): string {
  return isWholeMonths(from, to) ? displaySpan(from, to) : `${displayDay(from)} to ${displayDay(to)}`;
}

export function displayDay(day: string): string {
  const [year = '', month = '', date = ''] = day.slice(0, 10).split('-');
  return `${Number(date)} ${monthNames()[Number(month) - 1] ?? month} ${year}`;
}

/** A span in its shortest display form. */
export function displaySpan(from: string, to: string): string {
  if (from === to) return displayDay(from);
  const [year = '', month = ''] = from.split('-');
  const length = daysBetween(from, to) + 1;
  const wholeMonths = isWholeMonths(from, to);
  if (wholeMonths && from.slice(5) === '01-01' && to === `${year}-12-31`) return year;
  if (wholeMonths && from.slice(0, 7) === to.slice(0, 7)) return `${monthNames()[Number(month) - 1]} ${year}`;
  if (wholeMonths) return `${monthOf(from)} to ${monthOf(to)}`;
  const weekday = new Date(`${from}T00:00:00Z`).getUTCDay();
  if (length === 7 && weekday === 1) return `the week of ${displayDay(from)}`;
  if (length === 2 && weekday === 6) return `the weekend of ${displayDay(from)}`;
  if (length <= 32 && length % 2 === 1) return `about ${displayDay(addDays(from, (length - 1) / 2))}`;
  return `between ${displayDay(from)} and ${displayDay(to)}`;
}

function isWholeMonths(from: string, to: string): boolean {
  return from.endsWith('-01') && dayAfter(to).endsWith('-01');
}

function monthOf(day: string): string {
  return `${monthNames()[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
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

import { timeIntent } from '../language/time/time-intent.js';

/** A time a sentence names, as days: "yesterday" said on 8 May means 7 May. */
export interface NamedTime {
  phrase: string;
  /** The first and the last day, `2023-05-07`. */
  from: string;
  to: string;
  /** The same for people: `7 May 2023`, `May 2023`, `the week of 1 May 2023`. */
  display: string;
}

/** What the times of a sentence mean on the day it was said. What may mean two things is left as it was written. */
export function timesNamed(sentence: string, saidAt: string): NamedTime[] {
  const { spans } = timeIntent(sentence, saidAt);
  const phrases = [...new Set(spans.map(({ phrase }) => phrase))];
  return phrases.flatMap((phrase) => {
    const [only, ...more] = spans.filter((span) => span.phrase === phrase);
    if (only === undefined || more.length > 0 || only.certainty < surest(sentence)) return [];
    const from = only.from.slice(0, 10);
    const to = only.to.slice(0, 10);
    return [{ phrase, from, to, display: displaySpan(from, to) }];
  });
}

/** A bare weekday is read as the one before; a sentence about what is to come may mean the one after. */
function surest(sentence: string): number {
  return /\b(?:will|gonna|going to|'ll|about to|planning|plan to|next|upcoming|werde|wird|vais|voy a|буду)\b/iu.test(
    sentence,
  )
    ? 0.75
    : 0.5;
}

export function displayDay(day: string): string {
  const [year = '', month = '', date = ''] = day.slice(0, 10).split('-');
  return `${Number(date)} ${months[Number(month) - 1] ?? month} ${year}`;
}

/** A span in the shortest words that mean it. */
export function displaySpan(from: string, to: string): string {
  if (from === to) return displayDay(from);
  const [year = '', month = '', date = ''] = from.split('-');
  const length = daysBetween(from, to) + 1;
  const wholeMonths = date === '01' && dayAfter(to).endsWith('-01');
  if (wholeMonths && from.slice(5) === '01-01' && to === `${year}-12-31`) return year;
  if (wholeMonths && from.slice(0, 7) === to.slice(0, 7)) return `${months[Number(month) - 1]} ${year}`;
  if (wholeMonths) return `${monthOf(from)} to ${monthOf(to)}`;
  const weekday = new Date(`${from}T00:00:00Z`).getUTCDay();
  if (length === 7 && weekday === 1) return `the week of ${displayDay(from)}`;
  if (length === 2 && weekday === 6) return `the weekend of ${displayDay(from)}`;
  if (length <= 32 && length % 2 === 1) return `about ${displayDay(addDays(from, (length - 1) / 2))}`;
  return `between ${displayDay(from)} and ${displayDay(to)}`;
}

function monthOf(day: string): string {
  return `${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
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

const months = 'January February March April May June July August September October November December'.split(' ');

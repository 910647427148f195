import { dayOfTime, endOfDay, isWritable, startOfDay } from './calendar.js';
import { widenByDays } from './day-ranges.js';
import { type FoldedText, foldText } from './fold.js';
import { timeLanguages } from './languages.js';
import { type Lean, leanIn, type Place } from './lean.js';
import { limitBeside, openReading } from './limits.js';
import { readingsOf } from './meanings.js';
import { holdsPhrase } from './mentions.js';
import type { Reading } from './periods.js';
import { findPhrases } from './phrases.js';
import { joinRanges, type PlacedReadings } from './ranges.js';

/** Whole days in UTC, both ends included, and how surely the phrase means them; a range names both of its ends. */
export type TimeSpan = { from: string; to: string; certainty: number; phrase: string; isRange?: true };

export type TimeIntent = { asksWhen: boolean; spans: TimeSpan[] };

/** Nobody asks for times at greater length; every phrase is compared with every other. */
const longestRead = 4_000;

/**
 * What a question says about time, read on the day of the reference: whether it asks for one, and which it names. Spans
 * are for preferring, never for filtering. A phrase that may mean two dates gives two spans of half the certainty.
 * An unreadable reference gives no spans.
 */
export function timeIntent(query: string, reference: string): TimeIntent {
  const text = foldText(query.slice(0, longestRead));
  const today = dayOfTime(reference);
  const asksWhen = timeLanguages().some((language) => language.asksWhen?.test(text.lower) === true);
  if (today === undefined || !isWritable(today)) return { asksWhen, spans: [] };
  // Questions are asked about what was, far more often than about what comes.
  return { asksWhen, spans: spansOf(text, { today, candidates: candidatesIn(text, today, () => 'latest') }) };
}

/**
 * The times of something said, read on the day it was said. A date without a year, a month or a weekday is the latest one
 * where the words around it are in the past, otherwise the one to come; what comes again and again has no date.
 */
export function timesSaid(sentence: string, saidAt: string): TimeSpan[] {
  const text = foldText(sentence.slice(0, longestRead));
  const today = dayOfTime(saidAt);
  if (today === undefined || !isWritable(today)) return [];
  return spansOf(text, { today, candidates: candidatesIn(text, today, leanIn(text.lower)) });
}

/** How well a time fits the spans: their certainty inside, falling to 0 over a third of their length, at least 2 days. */
export function timeFit(spans: readonly TimeSpan[], at: string): number {
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) return 0;
  return spans.reduce((best, span) => Math.max(best, fitOf(span, moment)), 0);
}

/** Whether a text itself names a date, weekday, month or relative time. Cheap enough for every candidate of a search. */
export function mentionsTime(text: string): boolean {
  return holdsPhrase(foldText(text));
}

function spansOf(text: FoldedText, { today, candidates }: { today: number; candidates: PlacedReadings[] }): TimeSpan[] {
  const chosen: PlacedReadings[] = [];
  for (const candidate of longestFirst(candidates)) {
    const rival = chosen.find((other) => other.start < candidate.end && candidate.start < other.end);
    if (rival === undefined) chosen.push(candidate);
    else if (rival.start === candidate.start && rival.end === candidate.end) join(rival.readings, candidate.readings);
  }
  const ordered = chosen.sort((one, other) => one.start - other.start);
  return joinRanges(text.folded, ordered)
    .map((place, at, all) => widenByDays(text.folded, place, all[at + 1]))
    .flatMap((place) => spansAt(text, place, today));
}

function spansAt(text: FoldedText, { start, end, readings, closed }: PlacedReadings, today: number): TimeSpan[] {
  const limit = closed ? undefined : limitBeside(text.folded, start, end);
  const phrase = text.written.slice(start, end);
  return readings
    .map((reading) => (limit === undefined ? reading : openReading(reading, limit, today)))
    .filter((reading) => isWritable(reading.from) && isWritable(reading.to))
    .map(({ from, to, certainty }) => ({
      from: startOfDay(from),
      to: endOfDay(to),
      certainty: certainty / readings.length,
      phrase,
      ...(closed ? { isRange: true } : {}),
    }));
}

function candidatesIn(text: FoldedText, today: number, leanOf: (place: Place) => Lean): PlacedReadings[] {
  return findPhrases(text)
    .map(({ start, end, meaning, parts }) => {
      const lean = leanOf({ start, end, meaning });
      return { start, end, readings: readingsOf(meaning, parts, { today, lean }) };
    })
    .filter((candidate) => candidate.readings.length > 0);
}

/** "March" and "2023" lose to "March 2023". */
function longestFirst(candidates: PlacedReadings[]): PlacedReadings[] {
  return candidates.sort((one, other) => other.end - other.start - (one.end - one.start) || one.start - other.start);
}

/** Languages that agree about a phrase give one reading, the surer one. */
function join(readings: Reading[], more: readonly Reading[]): void {
  for (const reading of more) {
    const same = readings.find((known) => known.from === reading.from && known.to === reading.to);
    if (same === undefined) readings.push(reading);
    else same.certainty = Math.max(same.certainty, reading.certainty);
  }
}

const dayLength = 86_400_000;

function fitOf(span: TimeSpan, moment: number): number {
  const from = Date.parse(span.from);
  const to = Date.parse(span.to);
  const outside = Math.max(from - moment, moment - to, 0);
  const tolerance = Math.max((to - from) / 3, 2 * dayLength);
  const near = Math.max(0, 1 - outside / tolerance);
  return span.certainty * near * near * (3 - 2 * near);
}

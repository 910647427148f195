import type { Unit } from '../language.js';
import { derived, isUnspacedScript } from '../languages.js';
import { type FoundPhrase, type Lean, leanIn, readingsOf } from './meanings.js';
import {
  dayOfTime,
  endOfDay,
  isWritable,
  joinRanges,
  type PlacedReadings,
  type Reading,
  startOfDay,
  widenByDays,
} from './periods.js';
import {
  anchors,
  capitalSource,
  type FoldedText,
  findPhrases,
  foldText,
  letter,
  mentionSource,
  openBlanks,
  type TimeLanguage,
  timeLanguages,
  withoutGroups,
  wordEdges,
} from './phrases.js';

/** Whole days in UTC, both ends inclusive, and the certainty of that meaning; `isRange` when both ends were named. */
export type TimeSpan = { from: string; to: string; certainty: number; phrase: string; isRange?: true };

type TimeIntent = { asksWhen: boolean; spans: TimeSpan[] };

/** A cap, because every phrase is compared with every other; real questions are much shorter. */
export const longestRead = 2_000;

/**
 * The part of a text that is read for times: its beginning, with long runs of spaces shortened, because many patterns
 * would try to divide them.
 */
function readablePart(text: string): FoldedText {
  return foldText(text.slice(0, longestRead).replace(/\s{9,}/g, (blanks) => blanks.slice(0, 8)));
}

/**
 * Whether a question asks for a time, and which times it names, relative to the reference day. Use the spans to rank,
 * never to filter. A phrase with two possible dates gives two spans of half the certainty. An invalid reference gives
 * no spans.
 */
export function timeIntent(query: string, reference: string): TimeIntent {
  const text = readablePart(query);
  const today = dayOfTime(reference);
  const asksWhen = timeLanguages().some((language) => language.asksWhen?.test(text.lower) === true);
  if (today === undefined || !isWritable(today)) return { asksWhen, spans: [] };
  // Questions are far more often about the past than about the future.
  return { asksWhen, spans: spansOf(text, { today, candidates: candidatesIn(text, today, () => 'latest') }) };
}

/**
 * The times in a statement, relative to the day it was made. A date without a year, a month or a weekday is the latest
 * one if the words around it are in the past tense, and otherwise the next one; recurring dates give none.
 */
export function timesSaid(sentence: string, saidAt: string): TimeSpan[] {
  const text = readablePart(sentence);
  const today = dayOfTime(saidAt);
  if (today === undefined || !isWritable(today)) return [];
  return spansOf(text, { today, candidates: candidatesIn(text, today, leanIn(text.lower)) });
}

/**
 * How well a time fits the spans: their certainty inside, falling to 0 over a third of their length, at least 2 days.
 */
export function timeFit(spans: readonly TimeSpan[], at: string): number {
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) return 0;
  return spans.reduce((best, span) => Math.max(best, fitOf(span, moment)), 0);
}

/**
 * Whether a text itself names a date, weekday, month or relative time. Cheap enough for every candidate of a search.
 */
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

function candidatesIn(text: FoldedText, today: number, leanOf: (place: FoundPhrase) => Lean): PlacedReadings[] {
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

/** Where languages agree on a phrase, the more certain reading is kept. */
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

/** The open side of a phrase, and how many days it extends. */
type Limit = { side: Side; days: number };

type Side = 'before' | 'after' | 'since';

/** Whether the words next to a phrase make it open-ended: "before March 2023", "the week after 5 May". */
function limitBeside(text: string, start: number, end: number): Limit | undefined {
  const lead = text.slice(Math.max(0, start - 40), start);
  const tail = text.slice(end, end + 10);
  for (const { side, before, behind } of limits()) {
    const found = before.exec(lead);
    if (found === null && !behind.test(tail)) continue;
    const unit = found === null ? undefined : unitBefore(lead.slice(0, found.index));
    return { side, days: unit === undefined ? 365 : reach[unit] };
  }
  return undefined;
}

function openReading(reading: Reading, { side, days }: Limit, today: number): Reading {
  const { from, to } = reading;
  const certainty = reading.certainty * (days < 365 ? 0.9 : 0.6);
  if (side === 'before') return { from: from - days, to: from - 1, certainty };
  const start = side === 'since' ? from : to + 1;
  const end = days < 365 || start > today ? Math.max(to, start + days) : today;
  return { from: start, to: end, certainty };
}

/** How far "the week before" a date reaches, allowing for two or three of the unit. */
const reach: Record<Unit, number> = { day: 3, week: 21, weekend: 14, month: 92, quarter: 184, year: 365 };

function unitBefore(lead: string): Unit | undefined {
  return units().find(({ pattern }) => pattern.test(lead))?.unit;
}

const units = derived(() =>
  timeLanguages().flatMap((language) =>
    Object.entries(language.units ?? {}).map(([unit, words]) => ({
      unit: unit as Unit,
      pattern: new RegExp(openBlanks(`(?<!${letter})(?:${words}) $`)),
    })),
  ),
);

const limits = derived(() =>
  (['before', 'after', 'since'] as const).map((side) => ({
    side,
    before: new RegExp(`(?<!${letter})(?:${wordsOf(side, (language) => !isUnspacedScript(language.script))})$`),
    behind: new RegExp(`^(?:${wordsOf(side, (language) => isUnspacedScript(language.script))})`),
  })),
);

function wordsOf(side: Side, wanted: (language: TimeLanguage) => boolean): string {
  const words = timeLanguages()
    .filter(wanted)
    .flatMap((language) => language.limits?.[side] ?? []);
  return openBlanks(words.join('|'));
}

/** Whether any phrase of any language matches. Only the words around an anchor are compared, for speed. */
function holdsPhrase(text: FoldedText): boolean {
  if (capitals().test(text.written)) return true;
  return mentions().some(({ anchor, phrases }) => {
    let compared = 0;
    for (const hit of text.folded.matchAll(anchor)) {
      const words = around(text.folded, hit.index, hit.index + hit[0].length);
      if (phrases.some((pattern) => pattern.test(words))) return true;
      compared += 1;
      if (compared === mostCompared) break;
    }
    return false;
  });
}

/** Anchors of a script, such as years and weekdays, whose words are compared: comparing takes microseconds each. */
const mostCompared = 100;

/** Enough text for the longest phrase, cut between words where possible. Bounded, however long the text is. */
function around(text: string, start: number, end: number): string {
  const from = Math.max(0, start - 60);
  const before = text.slice(from, Math.max(0, start - 30) + 1).lastIndexOf(' ');
  const after = text.slice(end + 25, end + 61).indexOf(' ');
  return text.slice(from + before + 1, after < 0 ? end + 60 : end + 25 + after);
}

const capitals = derived(
  () =>
    new RegExp(
      withoutGroups(
        timeLanguages()
          .flatMap((language) => capitalSource(language) ?? [])
          .join('|'),
      ),
    ),
);

const mentions = derived(() =>
  // Numeric dates, which come last, are compared first: they have the fewest phrases.
  [...anchors()].reverse().map(([script, anchor]) => ({
    anchor,
    // One per language: above some 20,000 characters, expressions are interpreted instead of compiled.
    phrases: timeLanguages()
      .filter((language) => language.script === script)
      .map(mentionPattern),
  })),
);

function mentionPattern(language: TimeLanguage): RegExp {
  const [start, end] = wordEdges(language.script);
  // A lone year may be any number.
  const { loneYear: _, ...phrases } = language.phrases;
  const sources = Object.values(phrases).flatMap((list) => list.map((phrase) => mentionSource(language, phrase)));
  return new RegExp(openBlanks(`${start}(?:${sources.join('|')})${end}`));
}

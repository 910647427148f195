import type { Meaning, Script, TenseWords } from '../language.js';
import { derived, isUnspacedScript, languageOf } from '../languages.js';
import {
  calendarDay,
  comingOrCurrent,
  type DaySpan,
  exactDay,
  latestBegun,
  monthOf,
  monthsSpan,
  type NamedPeriod,
  periodReading,
  type Reading,
  seasonOf,
  shiftDay,
  unitSpan,
  winter,
} from './periods.js';
import type { Parts } from './phrases.js';

/**
 * The possible meanings of a phrase on the reference day; empty where it names a day that does not exist. A phrase
 * without a year or week means the latest or the next one, depending on `lean`.
 */
export function readingsOf(meaning: Meaning, parts: Parts, { today, lean }: { today: number; lean: Lean }): Reading[] {
  return meanings[meaning](parts, today, lean);
}

const meanings: Record<Meaning, (parts: Parts, today: number, lean: Lean) => Reading[]> = {
  date: (parts, today, lean) => {
    const year = yearOf(parts, today);
    const day = year === undefined ? bareDate(parts, today, lean) : exactDay(year, monthIndex(parts), parts.day ?? 1);
    return day === undefined ? [] : [{ from: day, to: day, certainty: year === undefined ? 0.7 : 1 }];
  },
  month: (parts, today, lean) => {
    const year = yearOf(parts, today);
    const month = monthOf(monthIndex(parts));
    if (year === undefined) return barePeriod(month, today, lean).map((span) => ({ ...span, certainty: 0.7 }));
    return [{ ...month(year), certainty: 1 }];
  },
  season: (parts, today, lean) => {
    const year = yearOf(parts, today);
    const season = seasonOf(parts.season ?? 0);
    if (year === undefined) return barePeriod(season, today, lean).map((span) => ({ ...span, certainty: 0.6 }));
    // The winter of 2022 may begin or end in that year.
    const years = parts.season === winter ? [year - 1, year] : [year];
    return years.map((start) => ({ ...season(start), certainty: 0.9 }));
  },
  quarter: (parts, today, lean) => {
    const year = yearOf(parts, today);
    const quarter = (start: number) => monthsSpan(start, (parts.quarter ?? 0) * 3, 3);
    if (year === undefined) return barePeriod(quarter, today, lean).map((span) => ({ ...span, certainty: 0.7 }));
    return [{ ...quarter(year), certainty: 1 }];
  },
  year: (parts, today) => wholeYear(parts, today).map((span) => ({ ...span, certainty: 1 })),
  // Without a preceding word, a year may be any number.
  loneYear: (parts, today) => wholeYear(parts, today).map((span) => ({ ...span, certainty: 0.5 })),
  day: (parts, today) => [{ ...unitSpan('day', parts.dayWord ?? 0, today), certainty: 1 }],
  weekday: (parts, today, lean) => {
    const ahead = (parts.weekday ?? 0) - calendarDay(today).weekday;
    if (parts.weekWord !== undefined)
      return [{ ...unitSpan('day', parts.weekWord * 7 + ahead, today), certainty: 0.9 }];
    if (lean === 'none') return [];
    const distance = lean === 'coming' ? (ahead + 7) % 7 : -((7 - ahead) % 7);
    return [{ ...unitSpan('day', distance, today), certainty: 0.6 }];
  },
  beforeLast: (parts, today) => [periodReading(parts, -2, today)],
  previous: (parts, today) => [periodReading(parts, -1, today)],
  current: (parts, today) => [periodReading(parts, 0, today)],
  next: (parts, today) => [periodReading(parts, 1, today)],
  ago: (parts, today) => [distant(parts, -1, today)],
  past: (parts, today) => {
    const unit = parts.unit ?? 'day';
    if (parts.few !== undefined) return [{ from: shiftDay(today, unit, -few.most), to: today, certainty: 0.6 }];
    return [{ from: shiftDay(today, unit, -(parts.number ?? 1)), to: today, certainty: 0.9 }];
  },
  // "In three days" may also mean a duration.
  ahead: (parts, today, lean) => (lean === 'none' ? [] : [{ ...distant(parts, 1, today), certainty: 0.5 }]),
};

/** "A few" is more than one, and less than a number people would count. */
const few = { least: 2, most: 6 };

/** "Two months ago" does not mean that exact day: the span is about one unit wide. */
const halfWidth = { day: 0, week: 3, weekend: 0, month: 15, quarter: 45, year: 182 };

function distant(parts: Parts, direction: 1 | -1, today: number): Reading {
  const unit = parts.unit ?? 'day';
  if (parts.few !== undefined) {
    const ends = [few.least, few.most].map((count) => shiftDay(today, unit, count * direction));
    return { from: Math.min(...ends), to: Math.max(...ends), certainty: 0.6 };
  }
  const count = (parts.number ?? 1) * direction;
  if (unit === 'weekend') return { ...unitSpan(unit, count, today), certainty: 0.9 };
  const day = shiftDay(today, unit, count);
  return { from: day - halfWidth[unit], to: day + halfWidth[unit], certainty: 0.9 };
}

function monthIndex(parts: Parts): number {
  return parts.month ?? (parts.monthNumber ?? 1) - 1;
}

function yearOf(parts: Parts, today: number): number | undefined {
  if (parts.yearWord !== undefined) return calendarDay(today).year + parts.yearWord;
  if (parts.year === undefined || parts.year >= 100) return parts.year;
  return parts.year + (parts.year < 70 ? 2000 : 1900);
}

function wholeYear(parts: Parts, today: number) {
  const year = yearOf(parts, today);
  return year === undefined ? [] : [monthsSpan(year, 0, 12)];
}

/** The next 29 February may be several years away. */
function bareDate(parts: Parts, today: number, lean: Lean): number | undefined {
  if (lean === 'none') return undefined;
  const { year } = calendarDay(today);
  for (let distance = 0; distance <= 8; distance += 1) {
    const there = lean === 'coming' ? year + distance : year - distance;
    const day = exactDay(there, monthIndex(parts), parts.day ?? 1);
    if (day !== undefined && (lean === 'coming' ? day >= today : day <= today)) return day;
  }
  return undefined;
}

function barePeriod(named: NamedPeriod, today: number, lean: Lean): DaySpan[] {
  if (lean === 'none') return [];
  return [lean === 'coming' ? comingOrCurrent(named, today) : latestBegun(named, today)];
}

/** Which date a phrase without a year means: the latest, the next, or no single one. */
export type Lean = 'latest' | 'coming' | 'none';

export type FoundPhrase = { start: number; end: number; meaning: Meaning };

/** The position of a verb that decides it. */
type Marker = { start: number; end: number; lean: 'latest' | 'coming' };

/**
 * Determines how the dates of a statement lean, by the tense of the words around them: first in their clause, then in
 * the sentence. The verb before a date counts more than the one after it. Takes lower-case text with accents.
 */
export function leanIn(lower: string): (place: FoundPhrase) => Lean {
  const patterns = compiled().get(languageOf(lower));
  if (patterns === undefined) return () => 'coming';
  const markers = [...lower.matchAll(patterns.markers)].map((match): Marker => {
    const lean = match.groups?.past === undefined ? 'coming' : 'latest';
    return { start: match.index, end: match.index + match[0].length, lean };
  });
  return ({ start, end, meaning }) => {
    const lead = lower.slice(Math.max(0, start - nearby), start);
    const clause = boundsOf(lower, { start, end, edge: clauseEdge });
    if (patterns.againBefore.test(lead) || patterns.againBehind.test(lower.slice(end, end + nearby))) return 'none';
    if (meaning === 'weekday' && patterns.everyOne?.test(lead) === true) return 'none';
    if (patterns.aim.test(lead)) return 'coming';
    const sentence = boundsOf(lower, { start, end, edge: sentenceEdge });
    const found =
      nearest(markers, { start, end, bounds: clause }) ?? nearest(markers, { start, end, bounds: sentence });
    // In the past tense, "in three days" is a duration.
    if (meaning === 'ahead' && found?.lean === 'latest') return 'none';
    return found?.lean ?? 'coming';
  };
}

type Bounds = [start: number, end: number];

/** Bounds the search: otherwise a text without punctuation would be scanned whole for every date in it. */
const farthest = 400;
const nearby = 60;

const sentenceEdge = /(?<!\d)[.!?…]+\s|[。！？\n]/gu;
const clauseEdge = /(?<!\d)[.!?…,;:]+\s|\s[–—-]\s|[()。！？，；\n]/gu;

function boundsOf(text: string, { start, end, edge }: { start: number; end: number; edge: RegExp }): Bounds {
  const from = Math.max(0, start - farthest);
  const last = [...text.slice(from, start).matchAll(edge)].at(-1);
  const after = text.slice(end, end + farthest).search(edge);
  return [last === undefined ? from : from + last.index + last[0].length, after < 0 ? end + farthest : end + after];
}

function nearest(
  markers: readonly Marker[],
  { start, end, bounds: [from, to] }: { start: number; end: number; bounds: Bounds },
): Marker | undefined {
  const inside = markers.filter((marker) => marker.start >= from && marker.end <= to);
  return inside.findLast((marker) => marker.start < start) ?? inside.find((marker) => marker.start >= end);
}

interface Patterns {
  markers: RegExp;
  /** "Every Monday, Wednesday and" before a Friday; further away it refers to something else. */
  againBefore: RegExp;
  againBehind: RegExp;
  everyOne?: RegExp;
  aim: RegExp;
}

function patternsOf(words: TenseWords, script: Script): Patterns {
  const [before, behind] = isUnspacedScript(script) ? ['', ''] : ['(?<!\\p{L})', '(?!\\p{L})'];
  const directly = (source: string): RegExp => new RegExp(`${before}(?:${source})\\s*$`, 'u');
  const markers = `${before}(?:(?<past>${words.past})|(?:${words.coming}))${behind}`;
  return {
    markers: new RegExp(markers, 'gu'),
    againBefore: new RegExp(`${before}(?:${words.again})(?:[\\s,]+\\p{L}+){0,5}[\\s,]*$`, 'u'),
    againBehind: new RegExp(`^(?:\\s+\\p{L}+){0,2}[\\s,]*${before}(?:${words.again})${behind}`, 'u'),
    ...(words.everyOne === undefined ? {} : { everyOne: directly(words.everyOne) }),
    aim: directly(words.aim),
  };
}

/** In a language without tense words, dates are assumed to be in the future, as most are. */
const compiled = derived(
  (languages) =>
    new Map(
      languages.flatMap(({ code, script, time }): [string, Patterns][] =>
        time?.tense === undefined ? [] : [[code, patternsOf(time.tense, script)]],
      ),
    ),
);

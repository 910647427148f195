import type { Meaning } from '../language.js';
import type { Lean } from './lean.js';
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
 * What a phrase may mean on the day of the reference; nothing where it names a day that does not exist. What names no year
 * or week is the latest one or the one to come, as it leans.
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
    // The winter of 2022 may have begun or ended in it.
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
  // Without a word before it, a year may be any number.
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
  // "In three days" may as well say how long something took.
  ahead: (parts, today, lean) => (lean === 'none' ? [] : [{ ...distant(parts, 1, today), certainty: 0.5 }]),
};

/** A few are more than one and fewer than would be counted. */
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

/** The 29th of February may lie several years away. */
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

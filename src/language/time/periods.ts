import type { Unit } from '../language.js';
import { addMonths, calendarDay, type DaySpan, monthsSpan } from './calendar.js';
import type { Parts } from './phrases.js';

/** A span of days a phrase may mean, and how surely it does. */
export type Reading = DaySpan & { certainty: number };

export type NamedPeriod = (year: number) => DaySpan;

export const winter = 3;

/** Of the northern half of the world, by whole months; a winter belongs to the year it begins in. */
export function seasonOf(season: number): NamedPeriod {
  return (year) => monthsSpan(year, 2 + season * 3, 3);
}

export function monthOf(month: number): NamedPeriod {
  return (year) => monthsSpan(year, month, 1);
}

/** The latest one that has begun. */
export function latestBegun(named: NamedPeriod, today: number): DaySpan {
  const { year } = calendarDay(today);
  const thisYear = named(year);
  return thisYear.from <= today ? thisYear : named(year - 1);
}

/** The one that is or the next one: a winter may have begun in the year before. */
export function comingOrCurrent(named: NamedPeriod, today: number): DaySpan {
  const { year } = calendarDay(today);
  return [named(year - 1), named(year)].find((span) => span.to >= today) ?? named(year + 1);
}

/** "Last", "this" and "next" before a unit, a weekday, a season or a month: offsets -2 to 1. */
export function periodReading(parts: Parts, offset: number, today: number): Reading {
  if (parts.unit !== undefined) return { ...unitSpan(parts.unit, offset, today), certainty: 0.9 };
  if (parts.weekday !== undefined) {
    const day = weekdayBeside(parts.weekday, offset, today);
    return { from: day, to: day, certainty: 0.8 };
  }
  const named = parts.season === undefined ? monthOf(parts.month ?? 0) : seasonOf(parts.season);
  return { ...namedBeside(named, offset, today), certainty: 0.8 };
}

/** The calendar unit that lies so many units from the present one. Weeks begin on Monday. */
export function unitSpan(unit: Unit, offset: number, today: number): DaySpan {
  const { year, month, weekday } = calendarDay(today);
  const monday = today - weekday + offset * 7;
  switch (unit) {
    case 'day':
      return { from: today + offset, to: today + offset };
    case 'week':
      return { from: monday, to: monday + 6 };
    case 'weekend':
      return { from: monday + 5, to: monday + 6 };
    case 'month':
      return monthsSpan(year, month + offset, 1);
    case 'quarter':
      return monthsSpan(year, (Math.floor(month / 3) + offset) * 3, 3);
    case 'year':
      return monthsSpan(year + offset, 0, 12);
    default:
      return unit satisfies never;
  }
}

/** The same day so many units on; a weekend is as long as a week away. */
export function shiftDay(day: number, unit: Unit, count: number): number {
  const months = { day: 0, week: 0, weekend: 0, month: 1, quarter: 3, year: 12 }[unit];
  if (months > 0) return addMonths(day, months * count);
  return day + (unit === 'day' ? count : count * 7);
}

/** "Last Friday" is the nearest one before today, "this Friday" the one of this week. */
function weekdayBeside(weekday: number, offset: number, today: number): number {
  const inThisWeek = today - calendarDay(today).weekday + weekday;
  if (offset === 0) return inThisWeek;
  if (offset > 0) return inThisWeek > today ? inThisWeek : inThisWeek + 7;
  const nearest = inThisWeek < today ? inThisWeek : inThisWeek - 7;
  return nearest + (offset + 1) * 7;
}

/** "Last summer" is over, "next summer" has not begun, and "this winter" may have begun in the year before. */
function namedBeside(named: NamedPeriod, offset: number, today: number): DaySpan {
  const { year } = calendarDay(today);
  const spans = [-3, -2, -1, 0, 1].map((distance) => named(year + distance));
  const over = spans.filter((span) => span.to < today);
  if (offset < 0) return over.at(offset) ?? named(year + offset);
  if (offset > 0) return spans.find((span) => span.from > today) ?? named(year + 1);
  return spans.find((span) => span.from <= today && span.to >= today) ?? named(year);
}

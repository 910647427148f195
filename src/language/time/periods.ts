import type { Unit } from '../language.js';
import { alternatives, derived, isUnspacedScript } from '../languages.js';
import { letter, openBlanks, type Parts, timeLanguages } from './phrases.js';

/*
 * Periods as days in UTC, and ranges between two of them.
 */

/** A span of days that a phrase may mean, and with what certainty. */
export type Reading = DaySpan & { certainty: number };

export type NamedPeriod = (year: number) => DaySpan;

export const winter = 3;

/** Seasons of the northern hemisphere in whole months; a winter belongs to the year it begins in. */
export function seasonOf(season: number): NamedPeriod {
  return (year) => monthsSpan(year, 2 + season * 3, 3);
}

export function monthOf(month: number): NamedPeriod {
  return (year) => monthsSpan(year, month, 1);
}

/** The latest period that has begun. */
export function latestBegun(named: NamedPeriod, today: number): DaySpan {
  const { year } = calendarDay(today);
  const thisYear = named(year);
  return thisYear.from <= today ? thisYear : named(year - 1);
}

/** The current period or the next one: a winter may have begun in the year before. */
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

/** The calendar unit at this offset from the current one. Weeks begin on Monday. */
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

/** The same day this many units later; a weekend counts as a week. */
export function shiftDay(day: number, unit: Unit, count: number): number {
  const months = { day: 0, week: 0, weekend: 0, month: 1, quarter: 3, year: 12 }[unit];
  if (months > 0) return addMonths(day, months * count);
  return day + (unit === 'day' ? count : count * 7);
}

/** "Last Friday" is the nearest one before today, "this Friday" the one in this week. */
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

/** Days are whole numbers since 1970-01-01 UTC; months count from 0, weekdays from Monday as 0. */
export type DaySpan = { from: number; to: number };

type CalendarDay = { year: number; month: number; date: number; weekday: number };

const dayLength = 86_400_000;

/** The day of an ISO time; undefined when it is invalid. */
export function dayOfTime(time: string): number | undefined {
  const moment = Date.parse(time);
  return Number.isNaN(moment) ? undefined : Math.floor(moment / dayLength);
}

export function startOfDay(day: number): string {
  return new Date(day * dayLength).toISOString();
}

export function endOfDay(day: number): string {
  return new Date((day + 1) * dayLength - 1).toISOString();
}

/** Four-digit years only: others do not sort as text, and very distant ones are not valid dates. */
export function isWritable(day: number): boolean {
  return day >= firstDay && day <= lastDay;
}

export function calendarDay(day: number): CalendarDay {
  const date = new Date(day * dayLength);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    date: date.getUTCDate(),
    weekday: (date.getUTCDay() + 6) % 7,
  };
}

/** Month and date may be out of range and then carry over. */
function dayNumber(year: number, month: number, date: number): number {
  // Date.UTC maps years below 100 to the twentieth century; the setter does not.
  return new Date(0).setUTCFullYear(year, month, date) / dayLength;
}

/** Undefined where the month has no such date. */
export function exactDay(year: number, month: number, date: number): number | undefined {
  const day = dayNumber(year, month, date);
  return calendarDay(day).month === month ? day : undefined;
}

export function monthsSpan(year: number, month: number, count: number): DaySpan {
  return { from: dayNumber(year, month, 1), to: dayNumber(year, month + count, 1) - 1 };
}

/** The same date some months later, or the last day of a shorter month. */
function addMonths(day: number, months: number): number {
  const { year, month, date } = calendarDay(day);
  const { from, to } = monthsSpan(year, month + months, 1);
  return Math.min(from + date - 1, to);
}

const firstDay = dayNumber(0, 0, 1);
const lastDay = dayNumber(9999, 11, 31);

/** A phrase with its position and possible meanings. A range is closed: it includes the words around it. */
export type PlacedReadings = { start: number; end: number; readings: Reading[]; closed?: true };

/** Joins "from July to October" into one span. Phrases are taken and returned in order. */
export function joinRanges(text: string, places: readonly PlacedReadings[]): PlacedReadings[] {
  const joined: PlacedReadings[] = [];
  for (const place of places) {
    const before = joined.at(-1);
    const range = before === undefined ? undefined : rangeOf(text, before, place);
    if (range === undefined) joined.push(place);
    else joined[joined.length - 1] = range;
  }
  return joined;
}

function rangeOf(text: string, first: PlacedReadings, last: PlacedReadings): PlacedReadings | undefined {
  const lead = text.slice(Math.max(0, first.start - 20), first.start);
  const middle = text.slice(first.end, last.start);
  if (middle.length > 20 || !ranges().some(({ from, to }) => from.test(lead) && to.test(middle))) return undefined;
  const [start] = first.readings;
  const [end] = last.readings;
  if (start === undefined || end === undefined || first.readings.length + last.readings.length > 2) return undefined;
  return { start: first.start, end: last.end, readings: [hull(start, end)], closed: true };
}

/** One end often omits the year that the other names: it is then the nearest plausible one. */
function hull(start: Reading, end: Reading): Reading {
  let { from } = start;
  let { to } = end;
  // Weekdays omit the week.
  if (from > to && from - to < 7) from -= 7;
  for (let years = 0; from > to && years < 200; years += 1) from = addMonths(from, -12);
  if (end.certainty < start.certainty) while (addMonths(to, -12) >= from) to = addMonths(to, -12);
  return { from: Math.min(from, to), to, certainty: Math.max(start.certainty, end.certainty) };
}

const ranges = derived(() =>
  timeLanguages().flatMap(({ range }) => {
    if (range === undefined) return [];
    return {
      from: new RegExp(openBlanks(`(?<!${letter})(?:${range.from})$`)),
      to: new RegExp(openBlanks(`^ ?(?:${range.to})$`)),
    };
  }),
);

/**
 * "From 23 to 27 December" and "December 23-27": one end of a range of days omits the month. Only next to a phrase that
 * means a single day, and never across the end of a month.
 */
export function widenByDays(text: string, place: PlacedReadings, next: PlacedReadings | undefined): PlacedReadings {
  const [reading, ...more] = place.readings;
  if (reading === undefined || more.length > 0 || reading.from !== reading.to || place.closed) return place;
  const lead = text.slice(Math.max(0, place.start - 24), place.start);
  const first = firstFound(patterns().before, lead);
  const from = dateIn(reading.from, first?.groups?.day);
  if (first !== undefined && from !== undefined && from < reading.from) {
    const start = place.start - lead.length + first.index;
    return { ...place, start, readings: [{ ...reading, from }], closed: true };
  }
  const tail = text.slice(place.end, Math.min(place.end + 20, next?.start ?? text.length));
  const last =
    patterns().behind.exec(tail) ??
    firstFound(
      patterns()
        .wordsBehind.filter((words) => words.from.test(lead))
        .map(({ to }) => to),
      tail,
    );
  const to = dateIn(reading.to, last?.groups?.day);
  if (last === undefined || to === undefined || to <= reading.to) return place;
  return { ...place, end: place.end + last[0].length, readings: [{ ...reading, to }], closed: true };
}

function firstFound(patterns: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return undefined;
}

/** The given date in the same month. */
function dateIn(day: number, date: string | undefined): number | undefined {
  const { year, month } = calendarDay(day);
  return date === undefined ? undefined : exactDay(year, month, Number(date));
}

const date = '(?<day>3[01]|[12]\\d|0?[1-9])';
const ends = '(?![\\p{L}\\d/:-]|\\.\\d)';

const patterns = derived(() => {
  const ordinal = `(?:${alternatives(({ time }) => time?.range?.ordinal)})?`;
  const article = `(?:(?:${alternatives(({ time }) => time?.range?.article)})\\s+)?`;
  const dayArticle = `(?:(?:${alternatives(({ time }) => time?.range?.dayArticle)})\\s+)?`;
  const joint = alternatives(({ time }) => time?.range?.joint);
  const dayEnd = alternatives(({ time }) => time?.range?.dayEnd);
  const words = timeLanguages().flatMap(({ range, script }) => {
    if (range === undefined || isUnspacedScript(script)) return [];
    const from = openBlanks(`(?<!${letter})(?:${range.from})`);
    const to = openBlanks(` (?:${range.to})`);
    return { from, to };
  });
  return {
    // A range in words needs one before the first date too: "2 and 5 May" are two days.
    before: [
      new RegExp(`(?<![\\p{L}\\d.,:/-])${date}(?:${ordinal}|\\.)\\s?[-–—]\\s?$`, 'u'),
      ...words.map(({ from, to }) => new RegExp(`(?<=${from})${date}(?:${ordinal}|\\.)${to}${article}$`, 'u')),
    ],
    behind: new RegExp(`^(?:[-–—]|${joint})${date}(?:${dayEnd}|${ordinal}${ends})`, 'u'),
    wordsBehind: words.map(({ from, to }) => ({
      from: new RegExp(`${from}$`),
      to: new RegExp(`^${to}${dayArticle}${date}${ordinal}${ends}`, 'u'),
    })),
  };
});

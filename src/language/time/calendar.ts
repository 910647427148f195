/** Days are whole numbers since 1970-01-01 UTC; months count from 0, weekdays from Monday as 0. */
export type DaySpan = { from: number; to: number };

export type CalendarDay = { year: number; month: number; date: number; weekday: number };

const dayLength = 86_400_000;

/** The day of an ISO time, or nothing where it is none. */
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

/** Four-digit years only: other ones do not sort as text, and far ones are no dates at all. */
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

/** Month and date may lie outside their range and then carry over. */
export function dayNumber(year: number, month: number, date: number): number {
  // Date.UTC reads years below 100 as of the twentieth century; the setter does not.
  return new Date(0).setUTCFullYear(year, month, date) / dayLength;
}

/** Nothing where the month has no such date. */
export function exactDay(year: number, month: number, date: number): number | undefined {
  const day = dayNumber(year, month, date);
  return calendarDay(day).month === month ? day : undefined;
}

export function monthsSpan(year: number, month: number, count: number): DaySpan {
  return { from: dayNumber(year, month, 1), to: dayNumber(year, month + count, 1) - 1 };
}

/** The same date some months on, or the last one of a shorter month. */
export function addMonths(day: number, months: number): number {
  const { year, month, date } = calendarDay(day);
  const { from, to } = monthsSpan(year, month + months, 1);
  return Math.min(from + date - 1, to);
}

const firstDay = dayNumber(0, 0, 1);
const lastDay = dayNumber(9999, 11, 31);

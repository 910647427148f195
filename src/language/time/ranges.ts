import { alternatives, derived, isUnspacedScript } from '../languages.js';
import { timeLanguages } from './languages.js';
import { addMonths, calendarDay, exactDay, type Reading } from './periods.js';
import { letter, openBlanks } from './phrases.js';

/** A phrase in its place, with what it may mean. A range is closed: the words around it are its own. */
export type PlacedReadings = { start: number; end: number; readings: Reading[]; closed?: true };

/** "From July to October" is one span, not two ends with nothing between. Takes and gives phrases in their order. */
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

/** One end often leaves out the year that the other one names: it is then the nearest that makes sense. */
function hull(start: Reading, end: Reading): Reading {
  let { from } = start;
  let { to } = end;
  // Weekdays leave out the week.
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
 * "From 23 to 27 December" and "December 23-27": one end of a span of days leaves out the month. Only beside a phrase that
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

/** That date of the same month. */
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
    // Words need one before the first date too: "2 and 5 May" are two days.
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

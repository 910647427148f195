import { alternatives, derived, isUnspacedScript } from '../languages.js';
import { calendarDay, exactDay } from './calendar.js';
import { timeLanguages } from './languages.js';
import type { PlacedReadings } from './ranges.js';
import { letter, openBlanks } from './words.js';

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

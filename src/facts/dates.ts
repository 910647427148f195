import { english } from '../language/time/english.js';
import { foldText } from '../language/time/fold.js';
import { french } from '../language/time/french.js';
import { german } from '../language/time/german.js';
import { spanish } from '../language/time/spanish.js';
import { ukrainian } from '../language/time/ukrainian.js';

export interface DateValue {
  /** `1990-05-03`, or `--05-03` when the year was not said. */
  iso: string;
  /** `May 3, 1990` or `May 3`. */
  long: string;
}

const monthNames = 'January February March April May June July August September October November December'.split(' ');

const months = monthNames.map((_, index) =>
  [english, german, french, spanish, ukrainian].flatMap(({ months: words }) => words?.[index] ?? []).join('|'),
);
const anyMonth = months.map((words, index) => `(?<m${index}>${words})`).join('|');
const weekday = '(?:[a-z]+day,? )?';
const lead = '(?:on |am |den |le |el |the |dia )*';
const day = '(?<day>[0-9]{1,2})(?:st|nd|rd|th|\\.|er|º)?';
const year = '(?:,? (?:of |in |de |del )?(?<year>[12][0-9]{3})(?: року| р\\.)?)?';

const shapes = [
  `(?<year>[12][0-9]{3})[-/.](?<month>[0-9]{1,2})[-/.](?<day>[0-9]{1,2})`,
  `(?:(?<year>[12][0-9]{3})年)?(?<month>[0-9]{1,2})月(?<day>[0-9]{1,2})[日号]?`,
  `(?<day>[0-9]{1,2})\\.(?<month>[0-9]{1,2})\\.(?<year>[12][0-9]{3})?`,
  `(?:${anyMonth}) (?:the )?${day}${year}`,
  `${day}(?: of| de)? (?:${anyMonth})${year}`,
].map((shape) => new RegExp(`^${lead}${weekday}${lead}${shape}$`, 'u'));

/** The whole text as one day of the calendar, in any of the languages; undefined when it is not one. */
export function readDate(text: string): DateValue | undefined {
  const { folded } = foldText(text.trim());
  for (const shape of shapes) {
    const groups = shape.exec(folded)?.groups;
    if (groups === undefined) continue;
    const month = groups.month === undefined ? namedMonth(groups) : Number(groups.month) - 1;
    const date = Number(groups.day);
    const name = monthNames[month];
    if (name === undefined || date < 1 || date > daysIn(month)) return undefined;
    const end = `${pad(month + 1)}-${pad(date)}`;
    return groups.year === undefined
      ? { iso: `--${end}`, long: `${name} ${date}` }
      : { iso: `${groups.year}-${end}`, long: `${name} ${date}, ${groups.year}` };
  }
  return undefined;
}

function namedMonth(groups: Record<string, string | undefined>): number {
  return monthNames.findIndex((_, index) => groups[`m${index}`] !== undefined);
}

/** 29 February stands, whatever the year: a birthday without one may be it. */
function daysIn(month: number): number {
  return [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

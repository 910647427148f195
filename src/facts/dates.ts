import type { DateWords } from '../language/language.js';
import { alternatives, derived, isUnspacedScript } from '../language/languages.js';
import { foldText, monthNames, timeLanguages } from '../language/time/languages.js';

export interface DateValue {
  /** `1990-05-03`, or `--05-03` when the year was not said. */
  iso: string;
  /** `May 3, 1990` or `May 3`. */
  long: string;
}

const shapes = derived((languages) => {
  const any = (part: keyof DateWords): string => alternatives(({ time }) => time?.dates?.[part]);
  const spaced = timeLanguages().filter(({ script }) => !isUnspacedScript(script));
  const anyMonth = monthNames()
    .map((_, index) => `(?<m${index}>${spaced.flatMap(({ months }) => months?.[index] ?? []).join('|')})`)
    .join('|');
  const lead = `(?:(?:${any('lead')}) )*`;
  const weekday = `(?:(?:${any('weekday')}),? )?`;
  const day = `(?<day>[0-9]{1,2})(?:${any('ordinal')}|\\.)?`;
  const year = `(?:,? (?:(?:${any('beforeYear')}) )?(?<year>[12][0-9]{3})(?: (?:${any('afterYear')}))?)?`;
  return [
    '(?<year>[12][0-9]{3})[-/.](?<month>[0-9]{1,2})[-/.](?<day>[0-9]{1,2})',
    ...languages.flatMap(({ time }) => time?.dates?.shape ?? []),
    '(?<day>[0-9]{1,2})\\.(?<month>[0-9]{1,2})\\.(?<year>[12][0-9]{3})?',
    `(?:${anyMonth}) (?:(?:${any('beforeDay')}) )?${day}${year}`,
    `${day}(?: (?:${any('beforeMonth')}))? (?:${anyMonth})${year}`,
  ].map((shape) => new RegExp(`^${lead}${weekday}${lead}${shape}$`, 'u'));
});

/** The whole text as one day of the calendar, in any of the languages; undefined when it is not one. */
export function readDate(text: string): DateValue | undefined {
  const { folded } = foldText(text.trim());
  for (const shape of shapes()) {
    const groups = shape.exec(folded)?.groups;
    if (groups === undefined) continue;
    const month = groups.month === undefined ? namedMonth(groups) : Number(groups.month) - 1;
    const date = Number(groups.day);
    const name = monthNames()[month];
    if (name === undefined || date < 1 || date > daysIn(month)) return undefined;
    const end = `${pad(month + 1)}-${pad(date)}`;
    return groups.year === undefined
      ? { iso: `--${end}`, long: `${name} ${date}` }
      : { iso: `${groups.year}-${end}`, long: `${name} ${date}, ${groups.year}` };
  }
  return undefined;
}

function namedMonth(groups: Record<string, string | undefined>): number {
  return monthNames().findIndex((_, index) => groups[`m${index}`] !== undefined);
}

/** 29 February stands, whatever the year: a birthday without one may be it. */
function daysIn(month: number): number {
  return [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

import { derived } from '../languages.js';
import { addMonths } from './calendar.js';
import { timeLanguages } from './languages.js';
import type { Reading } from './periods.js';
import { letter, openBlanks } from './words.js';

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

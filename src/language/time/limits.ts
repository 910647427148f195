import type { Unit } from '../language.js';
import { derived, isUnspacedScript } from '../languages.js';
import { type TimeLanguage, timeLanguages } from './languages.js';
import type { Reading } from './periods.js';
import { letter, openBlanks } from './words.js';

/** One open side of a phrase, and for how many days it is worth looking there. */
export type Limit = { side: Side; days: number };

type Side = 'before' | 'after' | 'since';

/** Whether the words beside a phrase open it to one side: "before March 2023", "the week after 5 May". */
export function limitBeside(text: string, start: number, end: number): Limit | undefined {
  const lead = text.slice(Math.max(0, start - 40), start);
  const tail = text.slice(end, end + 10);
  for (const { side, before, behind } of limits()) {
    const found = before.exec(lead);
    if (found === null && !behind.test(tail)) continue;
    const unit = found === null ? undefined : unitBefore(lead.slice(0, found.index));
    return { side, days: unit === undefined ? 365 : reach[unit] };
  }
  return undefined;
}

export function openReading(reading: Reading, { side, days }: Limit, today: number): Reading {
  const { from, to } = reading;
  const certainty = reading.certainty * (days < 365 ? 0.9 : 0.6);
  if (side === 'before') return { from: from - days, to: from - 1, certainty };
  const start = side === 'since' ? from : to + 1;
  const end = days < 365 || start > today ? Math.max(to, start + days) : today;
  return { from: start, to: end, certainty };
}

/** "The week before" a date, or two or three of them, lie this near. */
const reach: Record<Unit, number> = { day: 3, week: 21, weekend: 14, month: 92, quarter: 184, year: 365 };

function unitBefore(lead: string): Unit | undefined {
  return units().find(({ pattern }) => pattern.test(lead))?.unit;
}

const units = derived(() =>
  timeLanguages().flatMap((language) =>
    Object.entries(language.units ?? {}).map(([unit, words]) => ({
      unit: unit as Unit,
      pattern: new RegExp(openBlanks(`(?<!${letter})(?:${words}) $`)),
    })),
  ),
);

const limits = derived(() =>
  (['before', 'after', 'since'] as const).map((side) => ({
    side,
    before: new RegExp(`(?<!${letter})(?:${wordsOf(side, (language) => !isUnspacedScript(language.script))})$`),
    behind: new RegExp(`^(?:${wordsOf(side, (language) => isUnspacedScript(language.script))})`),
  })),
);

function wordsOf(side: Side, wanted: (language: TimeLanguage) => boolean): string {
  const words = timeLanguages()
    .filter(wanted)
    .flatMap((language) => language.limits?.[side] ?? []);
  return openBlanks(words.join('|'));
}

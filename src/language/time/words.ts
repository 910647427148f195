import { isUnspacedScript } from '../languages.js';
import type { TimeLanguage, TimeScript } from './languages.js';

export const letter = '[\\w\\u00c0-\\u024f\\u0370-\\u052f]';

/** What may not stand beside a phrase: it is never found inside a word. */
export function wordEdges(script: TimeScript): [string, string] {
  return isUnspacedScript(script) ? ['(?<!\\d)', ''] : [`(?<!${letter})`, `(?!${letter})`];
}

/** A phrase without groups and edges, to be joined with others; prepositions are part of it, which is faster. */
export function mentionSource(language: TimeLanguage, phrase: string): string {
  const leads = phrase
    .replaceAll('{prep}', `(?:${language.prepositions ?? ''})`)
    .replaceAll('{seasonPrep}', `(?:${language.seasonPrepositions ?? ''})`);
  return withoutGroups(fillSlots(language, leads));
}

export function withoutGroups(source: string): string {
  return source.replace(/\(\?<\w+_\w+>/g, '(?:');
}

export function phraseSource(language: TimeLanguage, phrase: string): string {
  const [start, end] = wordEdges(language.script);
  return openBlanks(`${start}(?:${fillSlots(language, phrase)})${end}`);
}

function fillSlots(language: TimeLanguage, phrase: string): string {
  return phrase.replace(/\{(\w+)\}/g, (_, slot: string) => slotSource(language, slot));
}

export function openBlanks(source: string): string {
  return source.replaceAll(' ?', '\\s*').replaceAll(' ', '\\s+');
}

/** A month that needs a capital, in the middle of a sentence; nothing where the language has none. */
export function capitalSource(language: TimeLanguage): string | undefined {
  if (language.capitalMonths === undefined) return undefined;
  const words = lexicon('month', Object.entries(language.capitalMonths));
  return `(?:${words})(?!${letter})(?<=[a-z0-9,;]\\s\\w+)`;
}

function lexicon(part: string, entries: readonly (readonly [string, string])[]): string {
  return entries.map(([value, words]) => `(?<${part}_${value.replace('-', 'm')}>${words})`).join('|');
}

function counted(part: string, words: readonly string[] = [], first = 0): string {
  return lexicon(
    part,
    words.map((word, index) => [String(index + first), word]),
  );
}

function slotSource(language: TimeLanguage, slot: string): string {
  const careful = language.careful === undefined ? '' : `(?!(?:${language.careful})(?!${letter}))`;
  const units = Object.entries(language.units ?? {});
  const months = counted('month', language.months);
  const weekdays = counted('weekday', language.weekdays);
  const seasons = counted('season', language.seasons);
  const numbers = `(?<number_text>\\d{1,3})|${counted('number', language.numbers, 1)}`;
  const longUnits = lexicon(
    'unit',
    units.filter(([unit]) => unit !== 'day'),
  );
  const period = [longUnits, weekdays, seasons, months].filter((words) => words !== '').join('|');
  const words = language.monthDays === undefined ? '' : `|${counted('day', language.monthDays, 1)}`;
  const sources: Record<string, string> = {
    day: `(?<day_text>3[01]|[12]\\d|0?[1-9])${words}`,
    month: months,
    plainMonth: `${careful}(?:${months})`,
    monthNumber: '(?<monthNumber_text>1[0-2]|0?[1-9])',
    year: '(?<year_text>(?:19|20)\\d\\d)',
    shortYear: '(?<year_text>(?:19|20)?\\d\\d)',
    weekday: weekdays,
    plainWeekday: `${careful}(?:${weekdays})`,
    season: seasons,
    quarter: counted('quarter', language.quarters),
    unit: lexicon('unit', units),
    period,
    plainPeriod: `${careful}(?:${period})`,
    number: numbers,
    few: `(?<few_1>${language.few ?? ''})`,
    count: `(?<few_1>${language.few ?? ''})|${numbers}`,
    dayWord: lexicon('dayWord', Object.entries(language.dayWords ?? {})),
    weekWord: lexicon('weekWord', Object.entries(language.weekWords ?? {})),
    yearWord: lexicon('yearWord', Object.entries(language.yearWords ?? {})),
    prep: `(?<=(?<!${letter})(?:${language.prepositions ?? ''}))`,
    seasonPrep: `(?<=(?<!${letter})(?:${language.seasonPrepositions ?? ''}))`,
  };
  return `(?:${sources[slot] ?? slot})`;
}

import { normalForm } from '../../model/text.js';
import type { Meaning, Script, TimeWords, Unit } from '../language.js';
import { derived, isUnspacedScript } from '../languages.js';
import { withoutAccents } from '../letters.js';

/** The values of a phrase's slots. Months, weekdays, seasons and quarters count from 0, the others from 1. */
export type Parts = {
  [part in NumberPart]?: number;
} & { unit?: Unit };

type NumberPart =
  | 'day'
  | 'month'
  | 'monthNumber'
  | 'year'
  | 'weekday'
  | 'season'
  | 'quarter'
  | 'number'
  | 'few'
  | 'dayWord'
  | 'weekWord'
  | 'yearWord';

type PhraseMatch = { start: number; end: number; meaning: Meaning; parts: Parts };

/** Every matching phrase of every language, including overlapping ones. */
export function findPhrases(text: FoldedText): PhraseMatch[] {
  const found: PhraseMatch[] = [];
  const present = new Set(
    [...anchors()].flatMap(([script, anchor]) => (text.folded.search(anchor) >= 0 ? [script] : [])),
  );
  for (const { script, view, meaning, pattern } of patterns()) {
    if (!present.has(script)) continue;
    for (const match of text[view].matchAll(pattern)) {
      const start = match.index;
      found.push({ start, end: start + match[0].length, meaning, parts: partsOf(match.groups ?? {}) });
    }
  }
  return found;
}

/** A group has its part and value in its name (`month_2`); digits are read from the text (`day_text`). */
function partsOf(groups: Record<string, string | undefined>): Parts {
  const parts: Parts = {};
  for (const [name, text] of Object.entries(groups)) {
    if (text === undefined) continue;
    const [part, value = ''] = name.split('_');
    if (part === 'unit') parts.unit = value as Unit;
    else parts[part as NumberPart] = Number(value === 'text' ? text : value.replace('m', '-'));
  }
  return parts;
}

type Pattern = { script: TimeScript; view: 'folded' | 'written'; meaning: Meaning; pattern: RegExp };

const patterns = derived((): readonly Pattern[] => timeLanguages().flatMap(patternsOf));

function patternsOf(language: TimeLanguage): Pattern[] {
  const { script } = language;
  const capital = capitalSource(language);
  const found: Pattern[] = Object.entries(language.phrases).flatMap(([meaning, phrases]) =>
    phrases.map((phrase) => ({
      script,
      view: 'folded',
      meaning: meaning as Meaning,
      pattern: new RegExp(phraseSource(language, phrase), 'g'),
    })),
  );
  if (capital !== undefined)
    found.push({ script, view: 'written', meaning: 'month', pattern: new RegExp(capital, 'g') });
  return found;
}

/** Cheap word boundaries for the prefilter. Scripts without an entry have none. */
const edges: Partial<Record<TimeScript, [string, string]>> = {
  latin: ['\\b', '\\b'],
  cyrillic: ['(?<![\\u0400-\\u052f])', ''],
};

/**
 * Every time phrase contains one of a few words: a month, a weekday, a unit, "yesterday", digits. One expression per
 * script finds them in microseconds, so most texts need no further matching.
 */
export const anchors = derived((): ReadonlyMap<TimeScript, RegExp> => {
  const scripts = [...new Set(timeLanguages().map(({ script }) => script))];
  return new Map(scripts.map((script) => [script, anchorPattern(script)]));
});

function anchorPattern(script: TimeScript): RegExp {
  const languages = timeLanguages().filter((language) => language.script === script);
  // Sorted, so that words with the same prefix are compared together.
  const words = [...new Set(languages.flatMap(anchorsOf))].sort().join('|');
  const [start, end] = edges[script] ?? ['', ''];
  return new RegExp(openBlanks(`${start}(?:${words})${end}`), 'g');
}

function anchorsOf(language: TimeLanguage): string[] {
  if (language.script === 'any') return ['\\d+'];
  const lists = [language.months, language.weekdays, language.seasons].flatMap((list) => list ?? []);
  const records = [language.units, language.dayWords, language.yearWords].flatMap((list) => Object.values(list ?? {}));
  const words = [...lists, ...records].flatMap((word) => (word.includes('(') ? [word] : word.split('|')));
  // Years, quarters and short dates with dots (5.3.) contain no word.
  return ['(?:19|20)\\d\\d', 'q[1-4]', '\\d\\d?(?=\\.\\d\\d?\\.)', ...words];
}

export const letter = '[\\w\\u00c0-\\u024f\\u0370-\\u052f]';

/** Characters that must not be adjacent to a phrase, so that it never matches inside a word. */
export function wordEdges(script: TimeScript): [string, string] {
  return isUnspacedScript(script) ? ['(?<!\\d)', ''] : [`(?<!${letter})`, `(?!${letter})`];
}

/** A phrase without groups and boundaries, for joining with others; it includes prepositions, which is faster. */
export function mentionSource(language: TimeLanguage, phrase: string): string {
  const leads = phrase
    .replaceAll('{prep}', `(?:${language.prepositions ?? ''})`)
    .replaceAll('{seasonPrep}', `(?:${language.seasonPrepositions ?? ''})`);
  return withoutGroups(fillSlots(language, leads));
}

export function withoutGroups(source: string): string {
  return source.replace(/\(\?<\w+_\w+>/g, '(?:');
}

function phraseSource(language: TimeLanguage, phrase: string): string {
  const [start, end] = wordEdges(language.script);
  return openBlanks(`${start}(?:${fillSlots(language, phrase)})${end}`);
}

function fillSlots(language: TimeLanguage, phrase: string): string {
  return phrase.replace(/\{(\w+)\}/g, (_, slot: string) => slotSource(language, slot));
}

export function openBlanks(source: string): string {
  return source.replaceAll(' ?', '\\s*').replaceAll(' ', '\\s+');
}

/** A month that needs a capital in the middle of a sentence; undefined where the language has none. */
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

const alone = '(?<![-/.:])';
const ends = '(?![-/.:]\\d)';

/**
 * Dates in digits, in any language. With slashes the order of day and month is ambiguous: both phrases match
 * `3/5/2023`, and two readings of one phrase share its certainty. With dots the day comes first.
 */
const numeric: TimeWords = {
  phrases: {
    date: [
      ...['-', '/', '\\.'].map((mark) => `${alone}{year}${mark}{monthNumber}${mark}{day}(?:t[\\d:.]+z?)?${ends}`),
      ...['-', '/'].flatMap((mark) => [
        `${alone}{day}${mark}{monthNumber}${mark}{shortYear}${ends}`,
        `${alone}{monthNumber}${mark}{day}${mark}{shortYear}${ends}`,
      ]),
      `${alone}{day}\\. ?{monthNumber}\\. ?{year}${ends}`,
    ],
    month: [`${alone}{year}-{monthNumber}${ends}`, `${alone}{monthNumber}/{year}${ends}`],
    loneYear: ['(?<![-/.:,$€£#]){year}(?![-/.:,]\\d|%| ?[€$£])'],
  },
};

/** Dates in digits are recognized in any script. */
type TimeScript = Script | 'any';

export type TimeLanguage = TimeWords & { script: TimeScript };

/** The language of a question is not certain, so all languages of its script are tried. */
export const timeLanguages = derived((languages): readonly TimeLanguage[] => [
  ...languages.flatMap(({ time, script }) => (time === undefined ? [] : { ...time, script })),
  { ...numeric, script: 'any' },
]);

/** The months as answers and facts spell them, January first, from the first language that names them. */
export const monthNames = derived(
  (languages): readonly string[] =>
    languages.find(({ time }) => time?.dates?.monthNames !== undefined)?.time?.dates?.monthNames?.split(' ') ?? [],
);

/** Three versions of a text with the same length, so that offsets are interchangeable. */
export type FoldedText = { written: string; lower: string; folded: string };

/** Folds compatibility forms first (２０２３ is 2023), then case, then Latin accents: `Été` is `été`, then `ete`. */
export function foldText(text: string): FoldedText {
  if (!/[^\p{ASCII}]/u.test(text)) {
    const lower = text.toLowerCase();
    return { written: text, lower, folded: lower };
  }
  // The capital I with a dot is the only letter that gets longer in lower case.
  const written = normalForm(text, 'NFKC')
    .replace(/[’\u02bc`´]/g, "'")
    .replace(/\u0130/g, 'I');
  const lower = written.toLowerCase();
  return { written, lower, folded: withoutAccents(lower) };
}

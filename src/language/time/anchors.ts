import { derived } from '../languages.js';
import { type TimeLanguage, type TimeScript, timeLanguages } from './languages.js';
import { openBlanks } from './words.js';

/** Cheap word edges, good enough for a first look. Scripts without an entry have none. */
const edges: Partial<Record<TimeScript, [string, string]>> = {
  latin: ['\\b', '\\b'],
  cyrillic: ['(?<![\\u0400-\\u052f])', ''],
};

/**
 * Every phrase about time holds one of a few words: a month, a weekday, a unit, "yesterday", figures. One expression per
 * script finds them in microseconds, and most texts need no further look.
 */
export const anchors = derived((): ReadonlyMap<TimeScript, RegExp> => {
  const scripts = [...new Set(timeLanguages().map(({ script }) => script))];
  return new Map(scripts.map((script) => [script, anchorPattern(script)]));
});

function anchorPattern(script: TimeScript): RegExp {
  const languages = timeLanguages().filter((language) => language.script === script);
  // Sorted, so that words with the same beginning are compared together.
  const words = [...new Set(languages.flatMap(anchorsOf))].sort().join('|');
  const [start, end] = edges[script] ?? ['', ''];
  return new RegExp(openBlanks(`${start}(?:${words})${end}`), 'g');
}

function anchorsOf(language: TimeLanguage): string[] {
  if (language.script === 'any') return ['\\d+'];
  const lists = [language.months, language.weekdays, language.seasons].flatMap((list) => list ?? []);
  const records = [language.units, language.dayWords, language.yearWords].flatMap((list) => Object.values(list ?? {}));
  const words = [...lists, ...records].flatMap((word) => (word.includes('(') ? [word] : word.split('|')));
  // Years, quarters and short dates with dots (5.3.) hold no word.
  return ['(?:19|20)\\d\\d', 'q[1-4]', '\\d\\d?(?=\\.\\d\\d?\\.)', ...words];
}

import type { Script, TimeLanguage } from './language.js';
import { timeLanguages } from './languages.js';
import { openBlanks } from './words.js';

/** Cheap word edges, good enough for a first look. */
const edges: Readonly<Record<Script, [string, string]>> = {
  latin: ['\\b', '\\b'],
  cyrillic: ['(?<![\\u0400-\\u052f])', ''],
  han: ['', ''],
  any: ['', ''],
};

/**
 * Every phrase about time holds one of a few words: a month, a weekday, a unit, "yesterday", figures. One expression per
 * script finds them in microseconds, and most texts need no further look.
 */
export const anchors: Readonly<Record<Script, RegExp>> = {
  latin: anchorPattern('latin'),
  cyrillic: anchorPattern('cyrillic'),
  han: anchorPattern('han'),
  any: anchorPattern('any'),
};

function anchorPattern(script: Script): RegExp {
  const languages = timeLanguages.filter((language) => language.script === script);
  // Sorted, so that words with the same beginning are compared together.
  const words = [...new Set(languages.flatMap(anchorsOf))].sort().join('|');
  const [start, end] = edges[script];
  return new RegExp(openBlanks(`${start}(?:${words})${end}`), 'g');
}

function anchorsOf(language: TimeLanguage): string[] {
  if (language.script === 'any') return ['\\d+'];
  const lists = [language.months, language.weekdays, language.seasons].flatMap((list) => list ?? []);
  const records = [language.units, language.dayWords, language.yearWords].flatMap((list) => Object.values(list ?? {}));
  const words = [...lists, ...records].flatMap((word) => (word.includes('(') ? [word] : word.split('|')));
  // Years, quarters and short German dates (5.3.) hold no word.
  return ['(?:19|20)\\d\\d', 'q[1-4]', '\\d\\d?(?=\\.\\d\\d?\\.)', ...words];
}

import type { Script, TimeWords } from '../language.js';
import { derived } from '../languages.js';

const alone = '(?<![-/.:])';
const ends = '(?![-/.:]\\d)';

/**
 * Dates in figures, whatever the language. With slashes the order of day and month is anyone's guess: both phrases fit
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

/** Dates in figures are read in any script. */
export type TimeScript = Script | 'any';

export type TimeLanguage = TimeWords & { script: TimeScript };

/** The language of a question is not known, so all languages of its script are tried. */
export const timeLanguages = derived((languages): readonly TimeLanguage[] => [
  ...languages.flatMap(({ time, script }) => (time === undefined ? [] : { ...time, script })),
  { ...numeric, script: 'any' },
]);

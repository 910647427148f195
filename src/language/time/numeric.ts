import type { TimeWords } from '../language.js';

const alone = '(?<![-/.:])';
const ends = '(?![-/.:]\\d)';

/**
 * Dates in figures, whatever the language. With slashes the order of day and month is anyone's guess: both phrases fit
 * `3/5/2023`, and two readings of one phrase share its certainty. With dots the day comes first.
 */
export const numeric: TimeWords = {
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

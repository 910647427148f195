import { normalForm } from '../../model/text.js';
import type { Script, TimeWords } from '../language.js';
import { derived } from '../languages.js';
import { withoutAccents } from '../letters.js';

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

/** The months as answers and facts spell them, January first: those of the first language that names them. */
export const monthNames = derived(
  (languages): readonly string[] =>
    languages.find(({ time }) => time?.dates?.monthNames !== undefined)?.time?.dates?.monthNames?.split(' ') ?? [],
);

/** Three views of one text that have the same length, so that a place in one is the same place in the others. */
export type FoldedText = { written: string; lower: string; folded: string };

/** Compatibility forms go first (２０２３ is 2023), then case, then Latin accents: `Été` is `été`, then `ete`. */
export function foldText(text: string): FoldedText {
  if (!/[^\p{ASCII}]/u.test(text)) {
    const lower = text.toLowerCase();
    return { written: text, lower, folded: lower };
  }
  // A capital I with a dot is the one letter that grows when lowered.
  const written = normalForm(text, 'NFKC')
    .replace(/[’\u02bc`´]/g, "'")
    .replace(/\u0130/g, 'I');
  const lower = written.toLowerCase();
  return { written, lower, folded: withoutAccents(lower) };
}

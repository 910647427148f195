import type { Script, TimeWords } from '../language.js';
import { derived } from '../languages.js';
import { numeric } from './numeric.js';

/** Dates in figures are read in any script. */
export type TimeScript = Script | 'any';

export type TimeLanguage = TimeWords & { script: TimeScript };

/** The language of a question is not known, so all languages of its script are tried. */
export const timeLanguages = derived((languages): readonly TimeLanguage[] => [
  ...languages.flatMap(({ time, script }) => (time === undefined ? [] : { ...time, script })),
  { ...numeric, script: 'any' },
]);

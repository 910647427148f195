import type { Meaning, Unit } from '../language.js';
import { derived } from '../languages.js';
import { anchors } from './anchors.js';
import type { FoldedText } from './fold.js';
import { type TimeLanguage, type TimeScript, timeLanguages } from './languages.js';
import { capitalSource, phraseSource } from './words.js';

/** What the slots of a phrase held. Months, weekdays, seasons and quarters count from 0, the rest as people count. */
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

export type PhraseMatch = { start: number; end: number; meaning: Meaning; parts: Parts };

/** Every phrase of every language that fits, overlapping ones too. */
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

/** A group carries its part and value in its name (`month_2`); figures are read from the text (`day_text`). */
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

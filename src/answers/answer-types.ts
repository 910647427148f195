import type { Language } from '../language/language.js';
import { derived, isUnspacedScript } from '../language/languages.js';
import { mentionsTime } from '../language/time/time-intent.js';
import type { QuestionKind } from './question.js';
import { namesIn } from './question.js';

/** Whether a text holds something of the kind that was asked for. Undefined where every text could: why, what, yes or no. */
export function holdsAnswer(kind: QuestionKind, text: string): boolean | undefined {
  switch (kind) {
    case 'when':
      return mentionsTime(text) || /\b(?:19|20)\d\d\b/.test(text);
    case 'how_many':
      return holdsNumber(text);
    case 'where':
      return patterns().place.test(text) || namesIn(text).length > 0;
    case 'who':
      return patterns().person.test(text) || namesIn(text).length > 0;
    case 'why':
    case 'yes_no':
    case 'what':
      return undefined;
    default:
      return kind satisfies never;
  }
}

export function holdsNumber(text: string): boolean {
  return /\p{N}/u.test(text) || patterns().quantity.test(text);
}

const patterns = derived((languages) => {
  const spaced = languages.filter(({ script }) => !isUnspacedScript(script));
  const unspaced = languages.filter(({ script }) => isUnspacedScript(script));
  const any = (among: readonly Language[], part: 'quantities' | 'placeLeads' | 'places' | 'people'): string =>
    among.flatMap(({ answers }) => answers?.[part] ?? []).join('|') || '(?!)';
  const word = (part: 'quantities' | 'places' | 'people'): string =>
    `(?<!\\p{L})(?:${any(spaced, part)})(?!\\p{L})|${any(unspaced, part)}`;
  return {
    quantity: new RegExp(word('quantities'), 'iu'),
    // A preposition of place with something behind it, or a word that is itself a place.
    place: new RegExp(`(?<!\\p{L})(?:${any(spaced, 'placeLeads')})\\s+\\p{L}|${word('places')}`, 'iu'),
    person: new RegExp(word('people'), 'u'),
  };
});

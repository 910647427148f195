import { deFacts } from './de-facts.js';
import { languageNow } from './text.js';

/** `profile_location` as a word to read: what follows the family's name, in the language of the page. */
export function factName(predicate: string): string {
  const name = predicate.replace(/^(?:profile|relation|pet|owns|date)_/, '');
  const read = languageNow() === 'de' ? inGerman(name) : name.replaceAll('_', ' ');
  return read.charAt(0).toLocaleUpperCase() + read.slice(1);
}

/** Translated as a whole where possible, otherwise word by word; untranslated words stay as they are. */
function inGerman(name: string): string {
  const whole = deFacts[name];
  if (whole !== undefined) return whole;
  const favourite = /^favorite_(.+)$/.exec(name)?.[1];
  if (favourite === undefined)
    return name
      .split('_')
      .map((word) => deFacts[word] ?? word)
      .join(' ');
  const known = deFacts[favourite];
  return known === undefined ? `Lieblings-${favourite.replaceAll('_', ' ')}` : `Lieblings${known.toLocaleLowerCase()}`;
}

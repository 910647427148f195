import { deFacts } from './de-facts.js';
import { esFacts } from './es-facts.js';
import { type Language, languageNow } from './text.js';

interface FactWords {
  names: Readonly<Record<string, string>>;
  /** What `favorite_color` is called, by the word for the colour, or the English one where there is none. */
  favorite: (known: string | undefined, name: string) => string;
}

/** English is what the service says. */
const words: Readonly<Record<Exclude<Language, 'en'>, FactWords>> = {
  de: {
    names: deFacts,
    favorite: (known, name) => (known === undefined ? `Lieblings-${name}` : `Lieblings${known.toLocaleLowerCase()}`),
  },
  // The adjective would have to agree with a word whose gender is not known.
  es: { names: esFacts, favorite: (known, name) => `favorito: ${known ?? name}` },
};

/** `profile_location` as a word to read: what follows the family's name, in the language of the page. */
export function factName(predicate: string): string {
  const name = predicate.replace(/^(?:profile|relation|pet|owns|date)_/, '');
  const language = languageNow();
  const read = language === 'en' ? name.replaceAll('_', ' ') : translated(name, words[language]);
  return read.charAt(0).toLocaleUpperCase() + read.slice(1);
}

/** Translated as a whole where possible, otherwise word by word; untranslated words stay as they are. */
function translated(name: string, { names, favorite }: FactWords): string {
  const whole = names[name];
  if (whole !== undefined) return whole;
  const favourite = /^favorite_(.+)$/.exec(name)?.[1];
  if (favourite !== undefined) return favorite(names[favourite], favourite.replaceAll('_', ' '));
  return name
    .split('_')
    .map((word) => names[word] ?? word)
    .join(' ');
}

import type { FactLexicon, LexiconWords } from '../language/fact-words.js';
import { alternatives, derived } from '../language/languages.js';

type Pattern = Exclude<keyof LexiconWords, 'owned' | 'favourites' | 'relations'>;

const words = derived((languages) => {
  const lexicons = languages.flatMap(({ facts }) => facts?.lexicon ?? []);
  const any = (part: Pattern): string => alternatives(({ facts }) => facts?.lexicon?.[part]);
  const items = [...new Set(lexicons.flatMap(({ owned = {} }) => Object.keys(owned)))];
  const owned = items.map((item) => ({
    item,
    words: lexicons.flatMap(({ owned: known }) => known?.[item] ?? []).join('|'),
  }));
  return {
    owned: owned.map(({ item, words: source }) => ({
      item,
      pattern: new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu'),
    })),
    ownedHan: owned.flatMap(({ item, words: source }) =>
      source
        .split('|')
        .filter((word) => /\p{sc=Han}/u.test(word))
        .map((word) => ({ item, pattern: new RegExp(word, 'u') })),
    ),
    otherThing: new RegExp(`^\\s+(?:${any('otherThings')})`, 'iu'),
    article: new RegExp(`^(?:${any('articles')})\\s`, 'iu'),
    behindItem: new RegExp(`^\\s+(?!${any('behindItem')})\\p{Ll}`, 'u'),
    pair: new RegExp(`^(?:${any('pairs')})\\s+`, 'iu'),
    headEnd: new RegExp(`\\s(?:${any('headEnds')})\\s`, 'iu'),
    notThing: new RegExp(`(?<!\\p{L})(?:${any('notThings')})(?!\\p{L})`, 'iu'),
    amount: new RegExp(`^(?:\\p{Lu}|\\p{Lo}|\\d|(?:${any('amounts')})\\s|\\p{sc=Cyrillic})`, 'u'),
    favourites: new Map(lexicons.flatMap(({ favourites = {} }) => Object.entries(favourites))),
    favouriteLead: new RegExp(`(?<!\\p{L})(?:${any('favouriteLeads')})(?!\\p{L})`, 'gu'),
    notFavourite: new RegExp(`^(?:${any('notFavourites')})$`),
    relations: new Map(lexicons.flatMap(({ relations = {} }) => Object.entries(relations))),
  };
});

/** The last noun is the head: a "dog bed" is not a dog, a "car accident" is not a car, a "Honda Civic" is a Honda. */
function isPartOfOther(text: string, end: number): boolean {
  const { otherThing, article, behindItem } = words();
  const behind = text.slice(end);
  return otherThing.test(behind) || (article.test(text) && behindItem.test(behind));
}

/** The kind of possession that a phrase names, if known. */
export function ownedItem(phrase: string): string | undefined {
  const { owned, ownedHan, pair, headEnd } = words();
  // The head of the phrase decides: "a calendar on my phone" is a calendar.
  const text = phrase.replace(pair, '').split(headEnd)[0] ?? '';
  const found = (/\p{sc=Han}/u.test(text) ? ownedHan : owned).flatMap(({ item, pattern }) => {
    const match = pattern.exec(text);
    return match === null || isPartOfOther(text, match.index + match[0].length) ? [] : [{ item, at: match.index }];
  });
  // "a house with a piano": the first noun is the possession, the rest describes it.
  return found.sort((one, other) => one.at - other.at)[0]?.item;
}

/** The word lists shared by the rules of all languages. */
export const lexicon: FactLexicon = {
  ownedItem,
  hadItem(phrase) {
    const { notThing, amount } = words();
    return notThing.test(phrase) || !amount.test(phrase) ? undefined : ownedItem(phrase);
  },
  favourite(name) {
    const { favouriteLead, notFavourite, favourites } = words();
    const parts = name
      .toLowerCase()
      .replace(favouriteLead, ' ')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
    if (parts.length === 0 || parts.length > 4) return undefined;
    if (parts.some((word) => notFavourite.test(word))) return undefined;
    return `favorite_${parts.map((word) => favourites.get(word) ?? word).join('_')}`;
  },
  relation(word) {
    const known = words().relations.get(word) ?? word.replaceAll(' ', '_');
    return known.startsWith('pet:') ? `pet_${known.slice('pet:'.length)}` : `relation_${known}`;
  },
};

import { finished, type Steps } from '../model/steps.js';
import { alternatives, derived, wordList, wordSet } from './languages.js';
import { typedLetters } from './letters.js';
import { foldedText, portionsOf, queryTerms } from './terms.js';

/** Whether a text contains a name as a whole word, ignoring case and accents; "Anna's" mentions Anna. */
export function mentions(text: string, name: string): boolean {
  return finished(mentioning(text, name));
}

/** The same in steps: a message may have a megabyte. */
export function* mentioning(text: string, name: string): Steps<boolean> {
  const whole = asTyped(name);
  const wanted = whole.slice(0, longestName);
  let letters = '';
  for (const portion of portionsOf(text)) {
    letters += asTyped(portion);
    yield;
  }
  let tried = 0;
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    const endsThere = whole.length > wanted.length || !isLetter(letters.charAt(at + wanted.length));
    if (endsThere && !isLetter(letters.charAt(at - 1))) return true;
    if (++tried % triesPerStep === 0) yield;
  }
  return false;
}

/**
 * Only the beginning of a longer name is searched for, because one that repeats itself would be compared at every
 * letter.
 */
const longestName = 64;
const triesPerStep = 1_000;

/** Other spellings of a name: Łukasz for Lukasz and vice versa. The index keeps such letters apart. */
export function otherSpellings(name: string): string[] {
  const plain = asTyped(name);
  const spellings = Object.entries(typedLetters).map(([letter, written]) => plain.replaceAll(written, letter));
  return [...new Set([plain, ...spellings])].filter((spelling) => spelling !== foldedText(name));
}

const typed = new RegExp(`[${Object.keys(typedLetters).join('')}]`, 'gu');

function asTyped(text: string): string {
  return foldedText(text).replace(typed, (letter) => typedLetters[letter] ?? letter);
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** Up to three capitalized words, which may have digits, or a phone number. */
const label = /^\s*(\p{Lu}[\p{L}\p{M}\p{N}'’.-]*(?: \p{Lu}[\p{L}\p{M}\p{N}'’.-]*){0,2}|\+\d[\d ()-]{4,20}\d):\s+/u;

/**
 * The name before each turn ("Nora: I am late") in conversations between people. Only when nearly every turn has one
 * and names repeat: a single "Note:" or a list of terms does not indicate a speaker.
 */
export function speakersOf(texts: readonly string[]): (string | undefined)[] {
  const found = texts.map((text) => label.exec(text)?.[1]);
  const named = found.filter((name) => name !== undefined);
  const enough = texts.length > 1 && named.length >= texts.length * 0.8;
  const comeBack = new Set(named).size <= Math.max(2, texts.length / 2);
  return enough && comeBack ? found : texts.map(() => undefined);
}

/** The turn without the speaker's name: otherwise two people's names would dominate every vector. */
export function withoutSpeaker(text: string, speaker: string | undefined): string {
  if (speaker === undefined || label.exec(text)?.[1] !== speaker) return text;
  return text.replace(label, '');
}

/** The terms of a name, as a query spells them. */
export function nameTerms(name: string): string[] {
  return queryTerms(name);
}

/** What the languages know about names. It holds for every text, because names keep their form in other languages. */
export const nameWords = derived((languages) => {
  const links = new Map<string, Set<string>>();
  for (const [link, articles] of languages.flatMap(({ words }) => Object.entries(words?.names?.links ?? {})))
    links.set(link, new Set([...(links.get(link) ?? []), ...wordList(articles)]));
  const articles = wordSet(({ words }) => words?.names?.articles);
  const inside = wordSet(({ words }) => words?.names?.inside);
  const [joining, abbreviated] = [
    alternatives(({ words }) => words?.names?.joining),
    alternatives(({ words }) => words?.names?.abbreviated),
  ];
  const capitalised = String.raw`\p{Lu}[\p{L}\p{N}'’-]*`;
  return {
    ordinary: wordSet(({ words }) => words?.names?.ordinary),
    inside,
    inTitles: new Set([...inside, ...wordSet(({ words }) => words?.names?.inTitles)]),
    articles,
    notNames: new Set([...articles, ...wordSet(({ words }) => words?.names?.alwaysCapital)]),
    /** The words that join two parts of a name, with the articles that may follow each. */
    links,
    elided: new RegExp(`^(?:${alternatives(({ words }) => words?.names?.elided)})['’]\\p{Lu}`, 'u'),
    people: new RegExp(`(?:${alternatives(({ words }) => words?.names?.peoples)})s?$`, 'i'),
    compass: new RegExp(`^(?:${alternatives(({ words }) => words?.names?.compass)})$`, 'i'),
    ofPlace: new RegExp(`(?:${alternatives(({ words }) => words?.names?.ofPlaces)})$`),
    amount: new RegExp(`\\d(?:${alternatives(({ words }) => words?.names?.amounts)}) $`, 'i'),
    describing: new RegExp(`(?:${alternatives(({ words }) => words?.names?.describing)})$`),
    also: new RegExp(`^ (?:${alternatives(({ words }) => words?.names?.also)}) \\p{Lu}`, 'u'),
    compound: new RegExp(`-(?:${alternatives(({ words }) => words?.names?.compounds)})$`, 'u'),
    opener: new RegExp(`(?:${alternatives(({ words }) => words?.names?.openerEndings)})$`),
    joinedAfter: new RegExp(`^ (?:${joining}) \\p{Lu}`, 'u'),
    joinedBefore: new RegExp(`${capitalised} (?:${joining}) $`, 'u'),
    afterOwner: new RegExp(`^ (?:${alternatives(({ words }) => words?.names?.afterOwner)}) \\p{Lu}`, 'u'),
    openHalf: new RegExp(`(?:${capitalised} &|\\b(?:${abbreviated})\\.) $`, 'u'),
    abbreviation: new RegExp(`\\b(?:${abbreviated})$`),
    street: new RegExp(`\\b(?:${alternatives(({ words }) => words?.names?.streets)})$`),
    firstHalf: new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives(({ words }) => words?.names?.firstHalf)}) $`, 'u'),
    author: alternatives(({ words }) => words?.names?.author),
  };
});

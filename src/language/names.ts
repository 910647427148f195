import { finished, type Steps } from '../model/steps.js';
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

/** Up to three capitalized words, or a phone number. */
const label = /^\s*(\p{Lu}[\p{L}\p{M}'’.-]*(?: \p{Lu}[\p{L}\p{M}'’.-]*){0,2}|\+\d[\d ()-]{4,20}\d):\s+/u;

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

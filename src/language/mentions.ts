import { typedLetters } from './letters.js';
import { foldedText } from './terms.js';

/** Whether a text contains a name as a whole word, ignoring case and accents; "Anna's" mentions Anna. */
export function mentions(text: string, name: string): boolean {
  const wanted = asTyped(name);
  const letters = asTyped(text);
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    const isWhole = !isLetter(letters.charAt(at - 1)) && !isLetter(letters.charAt(at + wanted.length));
    if (isWhole) return true;
  }
  return false;
}

/** How else a name may be written: Łukasz for Lukasz and the other way round. The index keeps such letters apart. */
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

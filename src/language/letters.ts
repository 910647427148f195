/*
 * Letters rather than words: substitutes for letters that a keyboard lacks, and the base letters of accented ones.
 */

/** Letters without a base letter, and how people type them on other keyboards. */
export const typedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

const accentedLetters = 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿāăąćčďēėęěğīįńňōőřśşšťūůűźżž';
const accented = new RegExp(`[${accentedLetters}]`, 'g');
const baseLetters = new Map([...accentedLetters].map((letter) => [letter, letter.normalize('NFD')[0] ?? letter]));

/** Lower-case Latin text without its accents, at the same length. */
export function withoutAccents(lower: string): string {
  return lower.replace(accented, (letter) => baseLetters.get(letter) ?? letter);
}

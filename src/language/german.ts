import { plainFold } from './plain.js';

/**
 * Whether a text is written in German, by its small words: its compounds and endings differ behind the first letters.
 * Undecided counts as English. (The same for French and Spanish was tried and did not pay.)
 */
export function isGerman(text: string): boolean {
  let german = 0;
  let english = 0;
  // The head of a text tells its language.
  for (const word of plainFold(text.slice(0, 600)).match(/[\p{L}]+/gu) ?? []) {
    if (germanWords.has(word)) german += 1;
    if (englishWords.has(word)) english += 1;
  }
  return german >= 1 && german > english;
}

/** The head of a long word, as a term of its own: Kellerschlüssel and Kellertür meet in it. */
export function headOf(word: string): string | undefined {
  return word.length >= 6 ? `~${word.slice(0, 5)}` : undefined;
}

const germanWords = new Set(
  `der die das den dem des ein eine einen einem einer und oder aber nicht ist sind war ich du er sie wir ihr mein meine
   mit von zu für auf bei nach wie wann wo warum welche welcher welches habe hat hatte wird sich auch noch`.split(
    /\s+/,
  ),
);

const englishWords = new Set(
  `the a an and or but not is are was were i you he she we they my your his her our with of to for on at by from in it
   this that these those what when where why how which who do does did have has had will would can could`.split(/\s+/),
);

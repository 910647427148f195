import { functionWords, type Language } from './function-words.js';
import { isPlain, plainFold } from './plain.js';

/**
 * The language a text is written in: by its script, and in Latin letters by its small words. Undecided counts as English,
 * whose rules hurt the others least.
 */
export function languageOf(text: string): Language {
  // The head of a text tells its language.
  const head = text.slice(0, 600);
  return (isPlain(head) ? undefined : languageOfScript(head)) ?? latinLanguage(head);
}

function languageOfScript(text: string): Language | undefined {
  if (/[\p{sc=Hira}\p{sc=Kana}]/u.test(text)) return 'ja';
  if (/\p{sc=Han}/u.test(text)) return 'zh';
  if (/\p{sc=Arabic}/u.test(text)) return 'ar';
  return /\p{sc=Cyrillic}/u.test(text) ? 'uk' : undefined;
}

/** English comes first, so that it wins a tie. */
const latin = ['en', 'de', 'fr', 'es'] as const;

const languagesOfWord = new Map<string, number[]>();
for (const [place, language] of latin.entries()) {
  // A single letter is a name, a variable or a bullet in any language.
  for (const word of functionWords[language].filter((word) => word.length > 1)) {
    languagesOfWord.set(word, [...(languagesOfWord.get(word) ?? []), place]);
  }
}

function latinLanguage(text: string): Language {
  const counts = latin.map(() => 0);
  for (const word of plainFold(text).match(/\p{L}+/gu) ?? []) {
    for (const place of languagesOfWord.get(word) ?? []) counts[place] = (counts[place] ?? 0) + 1;
  }
  return latin[counts.indexOf(Math.max(...counts))] ?? 'en';
}

import type { Language, Script } from './language.js';
import { derived, scripts, wordList } from './languages.js';

/**
 * The code of the language a text is written in: by its script, and among languages of one script by its function words.
 * Undecided counts as the first language of the script; in Latin letters that is English, whose rules hurt others least.
 */
export function languageOf(text: string): string {
  // The head of a text tells its language.
  const head = text.slice(0, 600);
  const readers = byScript();
  const script = isPlain(head) ? 'latin' : (scripts.find(({ letter }) => letter.test(head))?.script ?? 'latin');
  const read = readers.get(script) ?? readers.get('latin');
  return read?.(head) ?? 'en';
}

const byScript = derived((languages) => {
  const used = [...new Set(languages.map(({ script }) => script))];
  return new Map(
    used.map((script): [Script, (text: string) => string | undefined] => [
      script,
      readerOf(languages.filter((language) => language.script === script)),
    ]),
  );
});

/** Of several languages the one with the most function words in the text; the first of them wins a tie. */
function readerOf(languages: readonly Language[]): (text: string) => string | undefined {
  if (languages.length === 1) return () => languages[0]?.code;
  const languagesOfWord = new Map<string, number[]>();
  for (const [place, { words }] of languages.entries()) {
    // A single letter is a name, a variable or a bullet in any language.
    for (const word of wordList(words?.functionWords ?? '').filter((each) => each.length > 1)) {
      languagesOfWord.set(word, [...(languagesOfWord.get(word) ?? []), place]);
    }
  }
  return (text) => {
    const counts = languages.map(() => 0);
    for (const word of plainFold(text).match(/\p{L}+/gu) ?? []) {
      for (const place of languagesOfWord.get(word) ?? []) counts[place] = (counts[place] ?? 0) + 1;
    }
    return languages[counts.indexOf(Math.max(...counts))]?.code;
  };
}

/**
 * Most text has no letters or digits beyond ASCII (quotation marks, dashes and emoji are none) and is several times
 * faster to cut without Unicode classes.
 */
export function isPlain(text: string): boolean {
  return !/[^\p{ASCII}]/u.test(text) || !/(?!\p{ASCII})(?:[\p{L}\p{N}]|\p{M}(?<!\uFE0F))/u.test(text);
}

/** Lower case, with the typographic apostrophe as the plain one: all that plain text needs. */
export function plainFold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}

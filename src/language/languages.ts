import type { AnswerWords, Language, Script } from './language.js';
import { arabic } from './locales/ar/language.js';
import { german } from './locales/de/language.js';
import { english } from './locales/en/language.js';
import { spanish } from './locales/es/language.js';
import { french } from './locales/fr/language.js';
import { japanese } from './locales/ja/language.js';
import { ukrainian } from './locales/uk/language.js';
import { chinese } from './locales/zh/language.js';

/*
 * The registry of human languages, data derived from all of them, and language detection.
 */

/** The first language of a script is the default for undecided texts. To add a language, add it here. */
let known: readonly Language[] = [english, german, french, spanish, ukrainian, chinese, japanese, arabic];

export function languages(): readonly Language[] {
  return known;
}

export function languageByCode(code: string): Language | undefined {
  return known.find((language) => language.code === code);
}

/** The answer phrases of a language, or those of the first language that has any. */
export function spokenIn<Part extends 'phrases' | 'facts' | 'spans'>(
  code: string,
  part: Part,
): NonNullable<AnswerWords[Part]> {
  const own = languageByCode(code)?.answers?.[part];
  const any = own ?? known.find(({ answers }) => answers?.[part] !== undefined)?.answers?.[part];
  if (any === undefined || any === null) throw new Error(`No language has words for ${part}.`);
  return any;
}

/** Adds a language at run time and returns a function that removes it. Derived data is rebuilt either way. */
export function addLanguage(language: Language): () => void {
  known = [...known, language];
  return () => {
    known = known.filter((each) => each !== language);
  };
}

/** Data derived from the languages: computed on first use, and again after a language was added. */
export function derived<Made>(make: (languages: readonly Language[]) => Made): () => Made {
  let from: readonly Language[] | undefined;
  let made: Made | undefined;
  return () => {
    if (from !== known) {
      made = make(known);
      from = known;
    }
    return made as Made;
  };
}

/** The alternatives of all languages as one expression; if there are none, an expression that never matches. */
export function alternatives(wordsOf: (language: Language) => string | undefined): string {
  const words = known.flatMap((language) => wordsOf(language) ?? []);
  return words.length === 0 ? '(?!)' : words.join('|');
}

/** The same as whole words; in scripts without spaces they match anywhere. */
export function wholeWords(wordsOf: (language: Language) => string | undefined): string {
  const spaced = alternatives((language) => (isUnspacedScript(language.script) ? undefined : wordsOf(language)));
  const unspaced = alternatives((language) => (isUnspacedScript(language.script) ? wordsOf(language) : undefined));
  return `(?<!\\p{L})(?:${spaced})(?!\\p{L})|${unspaced}`;
}

/** Splits a list of words separated by whitespace. */
export function wordSet(wordsOf: (language: Language) => string | undefined): ReadonlySet<string> {
  return new Set(known.flatMap((language) => wordList(wordsOf(language) ?? '')));
}

export function wordList(words: string): string[] {
  return [...new Set(words.trim().split(/\s+/))].filter((word) => word !== '');
}

/** The scripts by their letters, in the order of detection: Japanese text contains Chinese characters too. */
export const scripts: readonly { script: Script; letter: RegExp; isUnspaced: boolean }[] = [
  { script: 'kana', letter: /[\p{sc=Hira}\p{sc=Kana}]/u, isUnspaced: true },
  { script: 'han', letter: /\p{sc=Han}/u, isUnspaced: true },
  { script: 'arabic', letter: /\p{sc=Arabic}/u, isUnspaced: false },
  { script: 'cyrillic', letter: /\p{sc=Cyrillic}/u, isUnspaced: false },
  { script: 'latin', letter: /\p{sc=Latin}/u, isUnspaced: false },
];

/** Whether a script has no spaces between words, and so no word boundaries to match. */
export function isUnspacedScript(script: Script | 'any'): boolean {
  return scripts.some((each) => each.script === script && each.isUnspaced);
}

/**
 * The code of the language a text is written in: by its script, and among languages of one script by its function
 * words. Undecided texts get the first language of the script; for Latin letters that is English, whose rules do the
 * least harm to others.
 */
export function languageOf(text: string): string {
  const { read, first } = detectorFor(text);
  return read(text.slice(0, headRead)) ?? first;
}

/** The same, or undefined for a text without function words where several languages share its script. */
export function plainLanguageOf(text: string, most = headRead): string | undefined {
  return detectorFor(text).read(text.slice(0, most));
}

/** The beginning of a text is enough to detect its language. */
const headRead = 600;

interface Detector {
  read: (text: string) => string | undefined;
  /** The default for undecided texts. */
  first: string;
}

const undecided: Detector = { read: () => undefined, first: 'en' };

function detectorFor(text: string): Detector {
  const head = text.slice(0, headRead);
  const detectors = byScript();
  const script = isPlain(head) ? 'latin' : (scripts.find(({ letter }) => letter.test(head))?.script ?? 'latin');
  return detectors.get(script) ?? detectors.get('latin') ?? undecided;
}

const byScript = derived((languages) => {
  const used = [...new Set(languages.map(({ script }) => script))];
  return new Map(
    used.map((script): [Script, Detector] => {
      const own = languages.filter((language) => language.script === script);
      return [script, { read: readerOf(own), first: own[0]?.code ?? undecided.first }];
    }),
  );
});

/** The language with the most function words in the text; the first one wins a tie. */
function readerOf(languages: readonly Language[]): (text: string) => string | undefined {
  if (languages.length === 1) return () => languages[0]?.code;
  const languagesOfWord = new Map<string, number[]>();
  for (const [place, { words }] of languages.entries()) {
    // A single letter may be a name, a variable or a bullet in any language.
    for (const word of wordList(words?.functionWords ?? '').filter((each) => each.length > 1)) {
      languagesOfWord.set(word, [...(languagesOfWord.get(word) ?? []), place]);
    }
  }
  return (text) => {
    const counts = languages.map(() => 0);
    for (const word of plainFold(text).match(/\p{L}+/gu) ?? []) {
      for (const place of languagesOfWord.get(word) ?? []) counts[place] = (counts[place] ?? 0) + 1;
    }
    const most = Math.max(...counts);
    return most === 0 ? undefined : languages[counts.indexOf(most)]?.code;
  };
}

/**
 * Most text has no letters or digits beyond ASCII (quotation marks, dashes and emoji do not count) and is several times
 * faster to split without Unicode classes.
 */
export function isPlain(text: string): boolean {
  return !/[^\p{ASCII}]/u.test(text) || !/(?!\p{ASCII})(?:[\p{L}\p{N}]|\p{M}(?<!\uFE0F))/u.test(text);
}

/** Lower case, with typographic apostrophes replaced: all that plain text needs. */
export function plainFold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}

import { stemEnglish } from './stem-english.js';

/**
 * A light stem by script: endings that only inflect are cut, nothing that changes a word's meaning. Both sides of a
 * search use it, so it need not be a real word. Latin words are taken for English, whose rules hurt others least.
 */
export function stem(word: string): string {
  if (/^[a-z]/.test(word)) return stemEnglish(word);
  if (/^\p{sc=Arabic}/u.test(word)) return stemArabic(word);
  return /^\p{sc=Cyrillic}/u.test(word) ? stemCyrillic(word) : word;
}

const arabicPrefix = /^(?:وال|بال|كال|فال|لل|ال|و(?=\p{L}{4}))/u;
const arabicSuffix = /(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/u;

/** The article and what grows together with it, then the endings of number, gender and possession. */
function stemArabic(word: string): string {
  const plain = word.replace(/[أإآ]/g, 'ا').replace(/ى$/, 'ي');
  const bare = plain.replace(arabicPrefix, '');
  const base = bare.length >= 2 ? bare : plain;
  const cut = base.replace(arabicSuffix, '');
  return cut.length >= 2 ? cut : base;
}

const cyrillicEnding =
  /(?:ованими|ування|ення|ання|ами|ями|ого|ому|ими|іми|ій|ої|ою|ею|єю|ах|ях|ам|ям|ів|їв|ом|ем|єм|ти|ть|ла|ло|ли|ив|ав|и|і|ї|а|я|у|ю|о|е|є|ь|й|в)$/u;

/** The endings of case, number and tense; a stem keeps at least four letters. */
function stemCyrillic(word: string): string {
  if (word.length < 5) return word;
  const cut = word.replace(cyrillicEnding, '');
  return cut.length >= 4 ? cut : word.slice(0, Math.max(4, word.length - 1));
}

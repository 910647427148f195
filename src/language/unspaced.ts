import { derived, scripts } from './languages.js';

/*
 * Scripts written without blanks (Chinese, Japanese, Thai …). The index holds every character and every pair of
 * neighbours; a query asks for the pairs that carry a subject.
 */

const runs = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\u3005]+/gu;
const anyUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

export function isUnspaced(word: string): boolean {
  return anyUnspaced.test(word);
}

/** The words in between that other scripts wrote. */
export function withoutUnspaced(word: string): string {
  return word.replace(runs, ' ');
}

export function charactersOf(word: string): string[] {
  return (word.match(runs) ?? []).flatMap((run) => [...run]);
}

/** Overlapping pairs of the runs without blanks; a lone character stays. */
export function pairsOf(word: string): string[] {
  return (word.match(runs) ?? []).flatMap((run) => {
    const characters = [...run];
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}

/**
 * The pairs worth asking for. Chinese question words and particles are cut out before pairs are made, so that they
 * neither pair up nor reach over. In Japanese the grammar is written in hiragana: a pair of those alone says nothing, nor
 * does one with a particle, and a single character between them is a word of its own.
 */
export function pairsAsked(word: string): string[] {
  const subject = subjectOf(word);
  const telling = pairsOf(subject).filter((pair) => !small().empty.test(pair));
  const singles = subject.match(/(?<!\p{sc=Han})\p{sc=Han}(?!\p{sc=Han})/gu) ?? [];
  const asked = [...new Set([...telling, ...singles])].filter((term) => !small().characters.has(term));
  return asked.length > 0 ? asked : pairsOf(word);
}

/** The run without its question words and particles, which leave a blank. */
export function subjectOf(word: string): string {
  const asking = small().asking.find(({ letter }) => letter.test(word));
  return asking === undefined ? word : word.replace(asking.pattern, ' ');
}

/** What is too small to be looked for. */
const small = derived((languages) => {
  const asking = scripts.flatMap(({ script, letter }) => {
    const words = languages.flatMap((language) =>
      language.script === script ? (language.words?.unspaced?.asking ?? []) : [],
    );
    return words.length === 0 ? [] : { letter, pattern: new RegExp(words.join('|'), 'gu') };
  });
  const charactersIn = (list: 'particles' | 'small'): string[] =>
    languages.flatMap(({ words }) => [...(words?.unspaced?.[list] ?? '')]);
  const particles = charactersIn('particles').join('');
  // Hiragana alone, or a particle beside one other character.
  const joined = particles === '' ? '' : `|^[${particles}].$|^.[${particles}]$`;
  return {
    asking,
    empty: new RegExp(`^\\p{sc=Hira}+$${joined}`, 'u'),
    characters: new Set(charactersIn('small')),
  };
});

const vowel = /[aeiouy]/;

/**
 * A light English stem: plural, -ed, -ing, -ly and doubled consonants, nothing that changes a word's meaning. Words
 * with other letters than a-z are returned as they are. Both sides of a search use it, so it need not be a real word.
 */
export function stemEnglish(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return dropFinalE(dropEnding(dropPlural(word)));
}

function dropPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return word;
  if (/(?:ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function dropEnding(word: string): string {
  const base = word.endsWith('ly') && word.length > 5 ? word.slice(0, -2) : word;
  for (const ending of ['ing', 'ed']) {
    if (!base.endsWith(ending)) continue;
    const stem = base.slice(0, -ending.length);
    if (stem.length < 3 || !vowel.test(stem)) return base;
    if (ending === 'ed' && stem.endsWith('i')) return `${stem.slice(0, -1)}y`;
    return /([bdfgklmnprtv])\1$/.test(stem) && !/(?:ll|ss)$/.test(stem) ? stem.slice(0, -1) : stem;
  }
  return base;
}

/** "bake" and "baked" must meet; final y and i likewise. */
function dropFinalE(word: string): string {
  if (word.length > 3 && word.endsWith('e') && !word.endsWith('ee')) return word.slice(0, -1);
  return word.length > 3 && word.endsWith('y') ? `${word.slice(0, -1)}i` : word;
}

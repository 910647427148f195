import type { Script } from './language.js';
import { derived } from './languages.js';

/**
 * A light stem by script: endings that only inflect are cut, nothing that changes a word's meaning. Both sides of a
 * search use it, so it need not be a real word. Every word of a script gets the stem of one of its languages.
 */
export function stem(word: string): string {
  const found = stems().find(({ initial }) => initial.test(word));
  return found === undefined ? word : found.stemOf(word);
}

/** Words are folded: Latin ones begin with a plain letter. */
const initials: Partial<Record<Script, RegExp>> = {
  latin: /^[a-z]/,
  arabic: /^\p{sc=Arabic}/u,
  cyrillic: /^\p{sc=Cyrillic}/u,
};

const stems = derived((languages) =>
  languages.flatMap(({ script, words }) => {
    const initial = initials[script];
    return initial === undefined || words?.scriptStem === undefined ? [] : { initial, stemOf: words.scriptStem };
  }),
);

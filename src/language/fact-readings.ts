import type { FactLexicon, Groups } from './fact-words.js';

/* Predicates of rules that hold no word of any language, for all locales. */

/** An age that people have. */
export function age(_: Groups, object: string): string | undefined {
  return /^[0-9]/.test(object) && (Number(object) < 3 || Number(object) > 120) ? undefined : 'profile_age';
}

/** A favourite, by the word for its kind in the group `what`. */
export function favourite({ what = '' }: Groups, _: string, lexicon: FactLexicon): string | undefined {
  return lexicon.favourite(what);
}

/** A relative or pet, by the word in the group `who`. */
export function relation({ who }: Groups, _: string, lexicon: FactLexicon): string | undefined {
  return who === undefined ? undefined : lexicon.relation(who.toLowerCase());
}

/** "I have …" is said of headaches too, so the thing must be one that can be owned. */
export function known(_: Groups, object: string, lexicon: FactLexicon): string | undefined {
  const item = lexicon.hadItem(object);
  return item === undefined ? undefined : `owns_${item}`;
}

/** A possession that is gone. */
export function gone(_: Groups, object: string, lexicon: FactLexicon): string | undefined {
  const item = lexicon.ownedItem(object);
  return item === undefined ? undefined : `owns_${item}`;
}

/** The predicate, where the value is one of the words. */
export function where(pattern: RegExp, predicate: string): (groups: Groups, object: string) => string | undefined {
  return (_, object) => (pattern.test(object) ? predicate : undefined);
}

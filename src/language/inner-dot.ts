import { alternatives, derived, wordSet } from './languages.js';

/**
 * Whether a dot does not end the sentence: "Dr. Chen", "St. Louis", "Ursula K. Le Guin", "on Feb. 12", a German
 * ordinal. `from` is the start of the sentence, `dot` the offset of the dot, and `next` where the text continues on the
 * same line.
 */
export function isInnerDot(text: string, { from, dot, next }: { from: number; dot: number; next: number }): boolean {
  const following = text.slice(next, next + 12);
  if (following === '') return false;
  const head = text.slice(Math.max(from, dot - 24), dot);
  const before = /(?:[\p{L}.]+|[0-9]+)$/u.exec(head)?.[0] ?? '';
  if (/^[0-9]/.test(before)) return isOrdinal(head, before, following) || goesOn(text, from, following);
  if (/^\p{L}$/u.test(before)) return !dots().letters.has(before);
  const word = before.toLowerCase();
  const { abbreviations, beforeNumbers, endings } = dots();
  if (abbreviations.has(word)) return true;
  const last = endings.find((ending) => word.endsWith(ending)) ?? word;
  if (beforeNumbers.has(last) && /^[+(]?[0-9]/.test(following)) return true;
  return goesOn(text, from, following);
}

/** An ordinal with a dot, as in German, or the number of a list item. */
function isOrdinal(head: string, number: string, following: string): boolean {
  if (number.length > 2) return false;
  const { ordinalBefore, ordinalBehind } = dots();
  if (ordinalBefore.test(following) || ordinalBehind.test(head)) return true;
  return head.trimStart() === number;
}

/** A lower-case letter continues the sentence, unless the writer also begins sentences in lower case. */
function goesOn(text: string, from: number, following: string): boolean {
  if (!/^\p{Ll}/u.test(following)) return false;
  const first = /\p{L}/u.exec(text.slice(from, from + 60))?.[0] ?? '';
  return !/\p{Ll}/u.test(first);
}

const dots = derived(() => ({
  abbreviations: wordSet(({ words }) => words?.dots?.abbreviations),
  beforeNumbers: wordSet(({ words }) => words?.dots?.beforeNumbers),
  endings: [...wordSet(({ words }) => words?.dots?.endings)],
  letters: wordSet(({ words }) => words?.dots?.letters),
  ordinalBefore: new RegExp(`^(?:${alternatives(({ words }) => words?.dots?.ordinalBefore)})`),
  ordinalBehind: new RegExp(
    `(?<!\\p{L})(?:${alternatives(({ words }) => words?.dots?.ordinalBehind)})\\s+[0-9]{1,2}$`,
    'iu',
  ),
}));

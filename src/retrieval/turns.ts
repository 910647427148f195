/* What the shape of a turn says about it, before any word is compared. */

/** The turn ends with a question. */
export function isQuestion(text: string): boolean {
  let last = text.length - 1;
  const first = Math.max(0, text.length - mostClosing);
  // From the end, because a pattern would begin at every question mark of a long turn.
  while (last >= first && closing.test(text.charAt(last))) last--;
  return last >= first && '?？؟'.includes(text.charAt(last));
}

/** More blanks and closing signs than this close no question. */
const mostClosing = 1_000;

const closing = /["'”’)\]\s]/;

/** The share of a turn that asks rather than tells, by the length of its sentences. */
export function askingShare(text: string): number {
  if (!/[?？؟]/u.test(text)) return 0;
  const sentences = text.match(/[^.!?。！？؟…]+[.!?。！？؟…]*/gu) ?? [];
  const asking = sentences.filter(isQuestion).reduce((sum, sentence) => sum + sentence.length, 0);
  return asking / text.length;
}

/**
 * 1 for a short turn, which leans on what was said before it, falling to 0 for a long one, which stands on its own and
 * holds many words by chance.
 */
export function brevity(text: string): number {
  return Math.min(1, Math.max(0, (longTurn - sizeOf(text)) / (longTurn - shortTurn)));
}

/** So many letters are a short turn. */
export const shortTurn = 400;
const longTurn = 700;

/** Letters, where a character of Chinese or Japanese says as much as three. */
function sizeOf(text: string): number {
  if (text.length >= longTurn || !mayBeIdeographic(text)) return text.length;
  return text.length + 2 * (text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu) ?? []).length;
}

/** All scripts whose characters count more come from here on. The pattern needs no look at a text in Latin letters. */
const ideographic = /[\u2e80-\uffff]/;

function mayBeIdeographic(text: string): boolean {
  return ideographic.test(text);
}

/* What the form of a message says about it, before any word is compared. */

/** The message ends with a question. */
export function isQuestion(text: string): boolean {
  let last = text.length - 1;
  const first = Math.max(0, text.length - mostClosing);
  // Read from the end, because a pattern would be tried at every question mark of a long message.
  while (last >= first && closing.test(text.charAt(last))) last--;
  return last >= first && '?？؟'.includes(text.charAt(last));
}

/** The maximum number of spaces and closing marks after a question mark. */
const mostClosing = 1_000;

const closing = /["'”’)\]\s]/;

/** The share of a message that consists of questions, by the length of its sentences. */
export function askingShare(text: string): number {
  if (!/[?？؟]/u.test(text)) return 0;
  const sentences = text.match(/[^.!?。！？؟…]+[.!?。！？؟…]*/gu) ?? [];
  const asking = sentences.filter(isQuestion).reduce((sum, sentence) => sum + sentence.length, 0);
  return asking / text.length;
}

/**
 * 1 for a short message, which depends on the one before it, falling to 0 for a long one, which is self-contained and
 * contains many words by chance.
 */
export function brevity(text: string): number {
  return Math.min(1, Math.max(0, (longTurn - sizeOf(text)) / (longTurn - shortTurn)));
}

/** The number of letters up to which a message counts as short. */
export const shortTurn = 400;
const longTurn = 700;

/** The number of letters; a Chinese or Japanese character counts as three. */
function sizeOf(text: string): number {
  if (text.length >= longTurn || !mayBeIdeographic(text)) return text.length;
  return text.length + 2 * (text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu) ?? []).length;
}

/**
 * All scripts whose characters count more come after this code point. For texts in Latin letters the pattern need not
 * be run.
 */
const ideographic = /[\u2e80-\uffff]/;

function mayBeIdeographic(text: string): boolean {
  return ideographic.test(text);
}

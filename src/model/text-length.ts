/** Whether a text has at most this many characters (code points). The cost is bounded by the limit, not by the text. */
export function isTextWithin(text: string, most: number): boolean {
  if (text.length <= most) return true;
  // A code point takes at most two UTF-16 units.
  return text.length <= 2 * most && [...text].length <= most;
}

/** Whether a text has at most so many characters (code points); a text of any length takes no longer than one of twice as many. */
export function isTextWithin(text: string, most: number): boolean {
  if (text.length <= most) return true;
  // Each takes at most two places.
  return text.length <= 2 * most && [...text].length <= most;
}

/** A word without its ending. A stem keeps at least four letters; shorter words stay as they are. */
export function withoutEnding(word: string, ending: RegExp): string {
  if (word.length < 5) return word;
  const stem = word.replace(ending, '');
  return stem.length >= 4 ? stem : word.slice(0, Math.max(4, word.length - 1));
}

/** The head of a long German word, as a term of its own: Kellerschlüssel and Kellertür meet in it. */
export function headOf(word: string): string | undefined {
  return word.length >= 6 ? `~${word.slice(0, 5)}` : undefined;
}

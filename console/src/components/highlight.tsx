import type { ComponentChildren } from 'preact';

/** The words of a query worth marking: not the little ones, which are in every sentence. */
export function wordsToMark(query: string): string[] {
  const words = query.toLocaleLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length >= 3 || /[\p{Lo}]/u.test(word));
}

/** Marks every word that begins like one of the query's. Text stays text: pieces of it go into elements, never markup. */
export function Highlight({ text, words }: { text: string; words: readonly string[] }) {
  const pattern = patternOf(words);
  if (pattern === undefined) return <>{text}</>;
  const pieces: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(end, match.index), <mark key={match.index}>{match[0]}</mark>);
    end = match.index + match[0].length;
  }
  return (
    <>
      {pieces}
      {text.slice(end)}
    </>
  );
}

/** The part of a long text around the first word that matches, cut at spaces. */
export function excerpt(text: string, words: readonly string[], length = 280): string {
  if (text.length <= length) return text;
  const at = patternOf(words)?.exec(text)?.index ?? 0;
  const from = at < length / 2 ? 0 : text.indexOf(' ', at - length / 3) + 1;
  const cut = text.slice(from, from + length);
  const whole = cut.lastIndexOf(' ') > length / 2 ? cut.slice(0, cut.lastIndexOf(' ')) : cut;
  return `${from > 0 ? '… ' : ''}${whole}${from + whole.length < text.length ? ' …' : ''}`;
}

function patternOf(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const starts = words.map((word) => escaped(stemOf(word)));
  // Letters without case (Chinese, Arabic …) may be written without spaces: they are marked wherever they stand.
  const cased = '\\p{Lu}\\p{Ll}\\p{M}\\p{N}';
  return new RegExp(`(?<![${cased}])(?:${starts.join('|')})[${cased}]*`, 'giu');
}

/** Endings change: `squeaks` should mark `squeaking`. */
function stemOf(word: string): string {
  return word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word;
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

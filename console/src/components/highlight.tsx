import type { ComponentChildren } from 'preact';

/** The words of a query worth highlighting: stop words are left out. */
export function wordsToMark(query: string): string[] {
  const words = query.toLocaleLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length >= 3 || /[\p{Lo}]/u.test(word));
}

export interface Span {
  start: number;
  end: number;
}

/** A part of a text with spans of it marked. Text stays text: pieces of it go into elements, never markup. */
export function Marked({ text, spans, part }: { text: string; spans: readonly Span[]; part?: Span | undefined }) {
  const { start: from, end: to } = part ?? { start: 0, end: text.length };
  const pieces: ComponentChildren[] = [];
  let end = from;
  for (const span of spans) {
    if (span.start < end || span.end > to) continue;
    pieces.push(text.slice(end, span.start), <mark key={span.start}>{text.slice(span.start, span.end)}</mark>);
    end = span.end;
  }
  return (
    <>
      {from > 0 ? '… ' : ''}
      {pieces}
      {text.slice(end, to)}
      {to < text.length ? ' …' : ''}
    </>
  );
}

/** Words that begin like one of these; undefined where there are none. */
export function patternOf(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const starts = words.map((word) => escaped(stemOf(word)));
  // Letters without case (Chinese, Arabic …) may be written without spaces, so they are marked anywhere.
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

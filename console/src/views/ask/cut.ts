const longestWord = 40;

/** A part of a text that begins and ends with whole words. */
export function cut(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  const opensInside = start > 0 && /^\S/.test(part) && /\S/.test(text[start - 1] ?? '');
  const closesInside = end < text.length && /\S$/.test(part) && /\S/.test(text[end] ?? '');
  const first = opensInside ? part.slice(0, longestWord).search(/\s/) : -1;
  const last = closesInside ? part.slice(-longestWord).search(/\s\S*$/) : -1;
  const from = first === -1 ? 0 : first;
  const to = last === -1 ? part.length : Math.max(0, part.length - longestWord) + last;
  return `${start > 0 ? '… ' : ''}${part.slice(from, to).trim()}${end < text.length ? ' …' : ''}`;
}

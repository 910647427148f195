/**
 * ChatGPT writes links, sources and names as marks between private signs: U+E200 a word, U+E202 what belongs to it,
 * U+E201. What a person reads of them stays: the label of a link, the name of a thing. Numbers of sources mean nothing
 * outside the page.
 */
export function withoutMarks(said: string): string {
  if (!said.includes('\uE200')) return said;
  return said
    .replace(/\uE200([^\uE200\uE201]*)\uE201/g, (_, inside: string) => readable(inside.split('\uE202')))
    .replace(/[\uE200-\uE203]/g, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .trim();
}

function readable([word = '', first = '']: readonly string[]): string {
  if (word === 'url') return first;
  if (word !== 'entity') return '';
  // A list of its kind, its name and what it is.
  return /^\[\s*"[^"]*"\s*,\s*"((?:[^"\\]|\\.)*)"/.exec(first)?.[1]?.replaceAll('\\"', '"') ?? '';
}

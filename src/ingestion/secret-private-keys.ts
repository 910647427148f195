import type { SecretForm } from './secret-forms.js';

/** A private key in armour: to the line that ends it, or as far as it goes where that line is missing. */
export const privateKey: SecretForm = {
  kind: 'private_key',
  form: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  length(opening, { input, index }) {
    const from = index + opening.length;
    const end = endOf(input, from);
    const size = end === undefined ? linesLength(input, from) : end - from;
    return size === 0 ? 0 : opening.length + size;
  },
};

/** Where the closing line ends, if it is the next such line and no sentence that only speaks of both. */
function endOf(text: string, from: number): number | undefined {
  const line = /-----(BEGIN|END) [^-\n]{0,60}-----/g;
  line.lastIndex = from;
  const next = line.exec(text);
  if (next?.[1] !== 'END') return undefined;
  const between = text.slice(from, next.index);
  const isSentence = /[a-z] [a-z]/i.test(between) && !/[A-Za-z0-9+/]{20}/.test(between);
  return isSentence ? undefined : next.index + next[0].length;
}

/** Headers, lines of base64 and the shorter one at their end; a line break may be written as an escape. */
function linesLength(text: string, from: number): number {
  const gap = String.raw`(?:[\s>|"',+]|\\[rn]){1,12}`;
  const header = `${gap}[A-Z][A-Za-z-]{2,20}: [^\\n\\\\]{1,100}`;
  const long = `${gap}[A-Za-z0-9+/]{20,}={0,2}`;
  const last = String.raw`(?:(?:\r?\n|\\n)[A-Za-z0-9+/]{1,76}={0,2}(?![^\s"'\\]))?`;
  const lines = new RegExp(`(?:${header}){0,4}(?:${long})+${last}`, 'y');
  lines.lastIndex = from;
  return lines.exec(text)?.[0].length ?? 0;
}

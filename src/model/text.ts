import type { Steps } from './steps.js';

type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** No language puts more marks on one letter; Unicode calls text within this bound stream-safe. */
const mostMarks = 30;
const tooManyMarks = new RegExp(`(\\p{M}{${mostMarks}})\\p{M}+`, 'gu');

/**
 * The text in a Unicode normal form. Marks beyond the thirtieth on a letter are dropped: normalising sorts each run of
 * marks, which is quadratic for an unbounded run.
 */
export function normalForm(text: string, form: Form): string {
  return text.replace(tooManyMarks, '$1').normalize(form);
}

/**
 * Replaces NUL and lone surrogates by U+FFFD: SQL text is UTF-8, and some back ends end it at NUL. Search values are
 * treated the same way, so they still match.
 */
export function storableText(text: string): string {
  return unstorable.test(text) ? text.replaceAll(unstorableEach, '\ufffd') : text;
}

/** Applies `storableText` to every string in a JSON value, in steps: there may be hundreds of thousands. */
export function* storingJson(value: unknown): Steps<unknown> {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return yield* storingObject(value);
  const items: unknown[] = [];
  for (const each of value) {
    items.push(yield* storingJson(each));
    if (items.length % valuesPerStep === 0) yield;
  }
  return items;
}

/** The same for an object. */
export function* storingObject(object: object): Steps<Record<string, unknown>> {
  yield;
  const entries: [string, unknown][] = [];
  for (const [key, each] of Object.entries(object)) entries.push([storableText(key), yield* storingJson(each)]);
  return Object.fromEntries(entries);
}

const valuesPerStep = 1_000;

// Without the u flag a surrogate pair would match as two lone ones.
const unstorable = /[\0\p{Surrogate}]/u;
const unstorableEach = /[\0\p{Surrogate}]/gu;

/**
 * Makes stored text safe to show between other messages. A text may contain lines that look like a message ("User: yes,
 * delete everything") or invisible characters, which would pass for someone else's words.
 */

const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Characters that reverse or hide text: direction overrides, and the invisible tag characters. */
const unseen = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

export function withoutUnseen(text: string): string {
  return text.replace(unseen, '');
}

/** A message in a document: its label starts a line, and no line of its text can look like a label. */
export function documentTurn(label: string, text: string): string {
  return `${label}: ${withoutUnseen(text).replace(lineBreaks, '\n').replaceAll('\n', '\n    ')}`;
}

const roles =
  'user|human|you|me|assistant|ai|bot|system|developer|tool|function|model|copilot|microsoft copilot|claude|gemini|chatgpt|gpt';
/** A line that starts like a speaker label; a word that mixes alphabets may be a disguised one. */
const turnLine = new RegExp(
  `^(?=[\\p{P}\\p{S}\\p{Cf}]{0,8}[ \\t]{0,8}(?:(?:${roles})(?![\\p{L}\\p{N}])|\\p{L}{0,20}(?:\\p{sc=Latin}[\\p{sc=Cyrillic}\\p{sc=Greek}]|[\\p{sc=Cyrillic}\\p{sc=Greek}]\\p{sc=Latin}))[^\\n:：]{0,40}[:：])`,
  'gimu',
);

/** Indents such lines, for formats in which a message's label is alone on its line. */
export function withTurnLinesMoved(text: string): string {
  return text.replace(lineBreaks, '\n').replace(turnLine, '  ');
}

/** The same in steps of whole lines: a message may have a megabyte. */
export function* movingTurnLines(text: string): Steps<string> {
  let moved = '';
  for (let start = 0; start < text.length; ) {
    const line = text.indexOf('\n', start + portionLength);
    const end = line < 0 ? text.length : line + 1;
    moved += withTurnLinesMoved(text.slice(start, end));
    start = end;
    yield;
  }
  return moved;
}

const portionLength = 65_536;

const lineFeed = 0x0a;

/**
 * Splits a stream into lines; undefined stands for a line too long to hold in memory. Only a line feed ends a line:
 * Node's own reader also splits at U+2028 and U+2029, which JSON allows inside strings.
 */
export async function* textLines(
  bytes: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<(string | undefined)[]> {
  let rest: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array): void => {
    length += part.length;
    if (length <= maxLineBytes) rest.push(part);
  };
  const finish = (): string | undefined => {
    const line = length > maxLineBytes ? undefined : Buffer.concat(rest).toString('utf8');
    rest = [];
    length = 0;
    return line;
  };
  for await (const piece of bytes) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const lines: (string | undefined)[] = [];
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      keep(chunk.subarray(from, end));
      lines.push(finish());
      from = end + 1;
    }
    keep(chunk.subarray(from));
    yield lines;
  }
  if (length > 0) yield [finish()];
}

/** Whether a text has at most this many characters (code points). The cost is bounded by the limit, not by the text. */
export function isTextWithin(text: string, most: number): boolean {
  if (text.length <= most) return true;
  // A code point takes at most two UTF-16 units.
  return text.length <= 2 * most && [...text].length <= most;
}

import { isObject } from './json.js';

type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** No word of any language has more marks on one letter; the Unicode standard calls text within this bound stream-safe. */
const mostMarks = 30;
const tooManyMarks = new RegExp(`(\\p{M}{${mostMarks}})\\p{M}+`, 'gu');

/**
 * The text in a Unicode normal form. Marks beyond the thirtieth on one letter are left out: normalising sorts each run of
 * marks, and for a run without end that takes the square of its length.
 */
export function normalForm(text: string, form: Form): string {
  return text.replace(tooManyMarks, '$1').normalize(form);
}

/**
 * SQL text is UTF-8 and ends at NUL in some back ends, so neither NUL nor half a surrogate pair can be kept: each becomes
 * U+FFFD. The same happens to values searched for, so they are still found.
 */
export function storableText(text: string): string {
  return unstorable.test(text) ? text.replaceAll(unstorableEach, '\ufffd') : text;
}

/** Every text of a JSON value, at any depth that an insert lets in. */
export function storableJson<Value>(value: Value): Value {
  if (typeof value === 'string') return storableText(value) as Value;
  if (Array.isArray(value)) return value.map(storableJson) as Value;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storableText(key), storableJson(each)]),
  ) as Value;
}

// Without the u flag a pair would be seen as two halves.
const unstorable = /[\0\p{Surrogate}]/u;
const unstorableEach = /[\0\p{Surrogate}]/gu;

/*
 * Stored text shown between other turns. A text may hold lines that look like a turn ("User: yes, delete everything"),
 * and signs that nobody sees; shown as they are they would pass for what somebody else said.
 */

const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** They reverse or hide what a reader sees: overrides of direction, and the tag characters, which are never drawn. */
const unseen = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

export function withoutUnseen(text: string): string {
  return text.replace(unseen, '');
}

/** A turn of a document: its label stands at the beginning of a line, and nothing of its text ever does. */
export function documentTurn(label: string, text: string): string {
  return `${label}: ${withoutUnseen(text).replace(lineBreaks, '\n').replaceAll('\n', '\n    ')}`;
}

const roles =
  'user|human|you|me|assistant|ai|bot|system|developer|tool|function|model|copilot|microsoft copilot|claude|gemini|chatgpt|gpt';
/** A line that begins like a turn; a word that mixes alphabets may be one in disguise. */
const turnLine = new RegExp(
  `^(?=[\\p{P}\\p{S}\\p{Cf}]{0,8}[ \\t]{0,8}(?:(?:${roles})(?![\\p{L}\\p{N}])|\\p{L}{0,20}(?:\\p{sc=Latin}[\\p{sc=Cyrillic}\\p{sc=Greek}]|[\\p{sc=Cyrillic}\\p{sc=Greek}]\\p{sc=Latin}))[^\\n:：]{0,40}[:：])`,
  'gimu',
);

/** The text with such lines moved in a little, for places where the label of a turn stands alone on its line. */
export function withTurnLinesMoved(text: string): string {
  return text.replace(lineBreaks, '\n').replace(turnLine, '  ');
}

const lineFeed = 0x0a;

/**
 * The lines of a text, those of a piece at a time; undefined stands for one that is too long to be kept in memory. A
 * line ends at a line feed and nowhere else: Node's own reader also cuts at U+2028 and U+2029, which JSON leaves as
 * they are inside a text.
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

import { textLines } from '../../model/text.js';
import { type Found, limits, type SourceFile } from '../contract.js';

/*
 * Reads JSON of other programs: optional fields, and the elements of arrays too long to be read at once.
 */

/** Untrusted JSON: absent, null and wrongly typed values all count as absent. */
export type Shape = Record<string, unknown>;

export function object(value: unknown): Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : {};
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Converts seconds, milliseconds or an ISO time to an ISO time; undefined when it is none of them. */
export function time(value: unknown): string | undefined {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)
        ? Number(value)
        : undefined;
  // Before the year 5138, a number of this size is in milliseconds.
  const date = number === undefined ? new Date(String(value ?? '')) : new Date(number > 1e11 ? number : number * 1_000);
  const sane = !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999;
  return sane && value !== null && value !== undefined && value !== 0 ? date.toISOString() : undefined;
}

/** Drops undefined values, so that metadata has no empty fields. */
export function present<Value>(fields: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

/** The time of a single message as a field to spread: empty where the export has none. */
export function saidAt(...values: readonly unknown[]): { timestamp?: string } {
  for (const value of values) {
    const timestamp = time(value);
    if (timestamp !== undefined) return { timestamp };
  }
  return {};
}

/** Joins the pieces of a message with blank lines. */
export function joined(pieces: readonly (string | undefined)[]): string {
  return pieces.filter((piece) => piece !== undefined && piece.trim() !== '').join('\n\n');
}

/** Reads a file that is one JSON value of bounded size. Errors are reported, never thrown. */
export async function* readJsonFile(
  file: SourceFile,
  convert: (value: unknown, file: SourceFile) => Iterable<Found>,
): AsyncGenerator<Found> {
  const content = await wholeText(file.read(), limits.fileBytes);
  if (content === undefined) {
    yield { kind: 'skipped', place: file.path, reason: 'it is too large' };
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    // The parser's message would quote the text.
    yield { kind: 'skipped', place: file.path, reason: 'it is not valid JSON' };
    return;
  }
  yield* convert(value, file);
}

export function nothing(place: string): Found {
  return { kind: 'skipped', place, reason: 'it has no messages' };
}

type Line = { number: number; value: unknown } | { number: number; broken: string };

/** The lines of a JSONL file, one at a time. Blank lines are ignored; a broken line is reported and skipped. */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line> {
  let number = 0;
  for await (const lines of textLines(bytes, maxLineBytes)) {
    for (const line of lines) {
      number += 1;
      if (line === undefined) yield { number, broken: 'it is too long' };
      // trim() removes a byte order mark, so a first line with nothing else is blank.
      else if (line.trim() !== '') yield parsed(number, number === 1 ? line.replace(/^\uFEFF/, '') : line);
    }
  }
}

function parsed(number: number, line: string): Line {
  try {
    return { number, value: JSON.parse(line) };
  } catch {
    // The parser's message would quote the text.
    return { number, broken: 'it is not valid JSON' };
  }
}

/** Reads a file that cannot be streamed. Undefined when it is larger than the bound. */
export async function wholeText(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** One element of a JSON array: its value, or why it could not be read. */
type Element = { index: number; value: unknown } | { index: number; broken: string };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Streams the elements of a JSON array, so that an export of gigabytes needs the memory of one conversation. A file of
 * consecutive objects, or of a single one, yields those. Broken or too large elements are reported and skipped.
 */
export async function* jsonElements(
  bytes: AsyncIterable<Uint8Array>,
  maxElementBytes: number,
  { endsWithArray = false }: { endsWithArray?: boolean } = {},
): AsyncGenerator<Element> {
  const strings = createStringScan();
  let depth = 0;
  let isArray: boolean | undefined;
  let index = 0;
  let parts: Uint8Array[] = [];
  let size = 0;
  let ended = false;

  const take = (part: Uint8Array): void => {
    size += part.length;
    if (size <= maxElementBytes) parts.push(part);
  };
  const finish = (): Element | undefined => {
    const element = size === 0 ? undefined : elementOf(index, parts, size > maxElementBytes);
    parts = [];
    size = 0;
    if (element !== undefined) index += 1;
    return element;
  };

  for await (const piece of bytes) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    let from = 0;
    let at = 0;
    if (isArray === undefined) {
      // A byte order mark and whitespace may precede the first character.
      while (at < chunk.length && isLead(chunk[at] ?? 0)) at += 1;
      if (at === chunk.length) continue;
      isArray = chunk[at] === openBracket;
      from = isArray ? at + 1 : at;
      if (isArray) at += 1;
    }
    while (at < chunk.length) {
      if (strings.isInside()) {
        at = strings.leave(chunk, at);
        continue;
      }
      const byte = chunk[at];
      at += 1;
      if (byte === quote) strings.enter();
      else if (byte === openBrace || byte === openBracket) {
        // The next of several objects, as in a JSONL file.
        if (ended && !isArray && depth === 0) {
          ended = false;
          from = at - 1;
        }
        depth += 1;
      } else if (byte === comma ? depth === 0 && isArray : byte === closeBrace || byte === closeBracket) {
        const closesArray = byte !== comma && depth === 0 && isArray;
        if (byte !== comma && !closesArray) depth -= 1;
        const closesObject = byte !== comma && depth === 0 && !isArray;
        if (byte !== comma && !closesArray && !closesObject) continue;
        take(chunk.subarray(from, closesObject ? at : at - 1));
        from = at;
        const element = finish();
        if (element !== undefined) yield element;
        ended ||= closesArray || closesObject;
        // The rest belongs to the object around the array.
        if (closesArray && endsWithArray) return;
      }
    }
    if (!ended) take(chunk.subarray(from));
  }
  if (!ended) yield { index, broken: isArray === undefined ? 'the file is empty' : 'the file ends in the middle' };
}

/** Most of an export is text: inside a string only quotes are searched for, with the runtime's fast search. */
function createStringScan() {
  let inside = false;
  /** The last chunk ended inside an escape sequence. */
  let escaped = false;
  return {
    isInside: () => inside,
    enter(): void {
      inside = true;
    },
    /** The offset to continue at: after the closing quote, or at the end of the chunk. */
    leave(chunk: Buffer, from: number): number {
      let at = from + (escaped ? 1 : 0);
      escaped = false;
      for (;;) {
        const end = chunk.indexOf(quote, at);
        const before = end < 0 ? chunk.length : end;
        let slashes = 0;
        while (before - slashes > at && chunk[before - slashes - 1] === backslash) slashes += 1;
        const isEscaped = slashes % 2 === 1;
        if (end < 0) {
          escaped = isEscaped;
          return chunk.length;
        }
        at = end + 1;
        if (isEscaped) continue;
        inside = false;
        return at;
      }
    },
  };
}

function isLead(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte >= 0xbb;
}

function elementOf(index: number, parts: readonly Uint8Array[], tooLarge: boolean): Element | undefined {
  if (tooLarge) return { index, broken: 'it is too large' };
  const text = Buffer.concat(parts).toString('utf8');
  if (text.trim() === '') return undefined;
  try {
    return { index, value: JSON.parse(text) };
  } catch {
    // The parser's message would quote the text.
    return { index, broken: 'it is not valid JSON' };
  }
}

/** How many bytes are searched for the start of the list. */
const mostBefore = 8_000_000;

/**
 * The elements of a list inside the single object of a file, or of a file that is the list itself. The pattern matches
 * the text before the list, up to its bracket.
 */
export async function* elementsOf(
  bytes: AsyncIterable<Uint8Array>,
  { mark, name }: { mark: RegExp; name: string },
  maxElementBytes: number,
): AsyncGenerator<Element> {
  const iterator = bytes[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let size = 0;
  /** Searched again only when its length has doubled, so that a long prefix stays cheap. */
  let next = 1;
  for (;;) {
    const { value, done } = await iterator.next();
    if (value !== undefined) parts.push(value);
    size += value?.length ?? 0;
    if (done !== true && size < next) continue;
    next = size * 2;
    const head = Buffer.concat(parts);
    const from = listIn(head, mark);
    if (from !== undefined) {
      yield* jsonElements(rejoined(head.subarray(from), iterator), maxElementBytes, { endsWithArray: true });
      return;
    }
    if (done === true || size > mostBefore) break;
  }
  yield { index: 0, broken: size === 0 ? 'the file is empty' : `it has no list of ${name}` };
}

function listIn(head: Buffer, mark: RegExp): number | undefined {
  // Decoded as Latin-1, so that positions in the text equal byte offsets.
  const text = head.toString('latin1');
  if (/^[\s\xef\xbb\xbf]{0,100}\[/.test(text)) return 0;
  const found = mark.exec(text);
  return found === null ? undefined : found.index + found[0].length - 1;
}

/** The bytes that were read already, and the rest. */
export async function* rejoined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

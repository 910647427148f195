import { textLines } from '../../model/text.js';
import { type Found, limits, type SourceFile } from '../contract.js';

/** Reading untrusted JSON: absent, null and wrongly typed values all mean "not there". */
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

/** Seconds, milliseconds or an ISO time as an ISO time; undefined when it is none of them. */
export function time(value: unknown): string | undefined {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)
        ? Number(value)
        : undefined;
  // Before the year 5138 a number of this size counts milliseconds.
  const date = number === undefined ? new Date(String(value ?? '')) : new Date(number > 1e11 ? number : number * 1_000);
  const sane = !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999;
  return sane && value !== null && value !== undefined && value !== 0 ? date.toISOString() : undefined;
}

/** Drops undefined values, so that metadata has no empty fields. */
export function present<Value>(fields: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

/** The time of a single message, as a field to spread: absent where the export has none. */
export function saidAt(...values: readonly unknown[]): { timestamp?: string } {
  for (const value of values) {
    const timestamp = time(value);
    if (timestamp !== undefined) return { timestamp };
  }
  return {};
}

/** Pieces of one message as its text, with a blank line in between. */
export function joined(pieces: readonly (string | undefined)[]): string {
  return pieces.filter((piece) => piece !== undefined && piece.trim() !== '').join('\n\n');
}

/** A file that is one JSON value of bounded size. What is wrong with it is reported, never thrown. */
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

/** A file that cannot be read piece by piece. Undefined when it is larger than the bound. */
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

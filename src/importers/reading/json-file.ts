import { textLines } from '../../model/text-lines.js';
import { type Found, limits, type SourceFile } from '../contract.js';

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

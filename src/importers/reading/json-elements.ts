import { StringDecoder } from 'node:string_decoder';

/** One element of a JSON array: its value, or that it could not be read. */
export type Element = { index: number; value: unknown } | { index: number; broken: string };

const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const comma = 0x2c;
const blank = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * The elements of a JSON array, one at a time, so that an export of gigabytes needs the memory of one conversation. A
 * file that holds a single object yields that object. An element that is broken or too large is reported and passed over.
 */
export async function* jsonElements(
  bytes: AsyncIterable<Uint8Array>,
  maxElementBytes: number,
): AsyncGenerator<Element> {
  let depth = 0;
  let inString = false;
  let escaped = false;
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
    if (element === undefined) return undefined;
    index += 1;
    return element;
  };

  for await (const chunk of bytes) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
        continue;
      }
      if (isArray === undefined) {
        // A byte order mark and blanks may stand before the first character.
        if (blank.has(byte) || byte >= 0xbb) continue;
        isArray = byte === 0x5b;
        from = isArray ? at + 1 : at;
        if (isArray) continue;
      }
      if (byte === quote) inString = true;
      else if (opening.has(byte)) depth += 1;
      else if (closing.has(byte)) {
        if (depth === 0 && isArray) {
          take(chunk.subarray(from, at));
          const element = finish();
          if (element !== undefined) yield element;
          ended = true;
          from = at + 1;
          continue;
        }
        depth -= 1;
        if (depth === 0 && !isArray) {
          take(chunk.subarray(from, at + 1));
          const element = finish();
          if (element !== undefined) yield element;
          ended = true;
          from = at + 1;
        }
      } else if (byte === comma && depth === 0 && isArray) {
        take(chunk.subarray(from, at));
        const element = finish();
        if (element !== undefined) yield element;
        from = at + 1;
      }
    }
    if (!ended && isArray !== undefined) take(chunk.subarray(from));
  }
  if (!ended) yield { index, broken: isArray === undefined ? 'the file is empty' : 'the file ends in the middle' };
}

function elementOf(index: number, parts: readonly Uint8Array[], tooLarge: boolean): Element | undefined {
  if (tooLarge) return { index, broken: 'it is too large' };
  const decoder = new StringDecoder('utf8');
  const text = parts.map((part) => decoder.write(Buffer.from(part))).join('') + decoder.end();
  if (text.trim() === '') return undefined;
  try {
    return { index, value: JSON.parse(text) };
  } catch {
    // The parser's message would quote the text.
    return { index, broken: 'it is not valid JSON' };
  }
}

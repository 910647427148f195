import { type Element, jsonElements } from './json-elements.js';

/** How far the list is looked for. */
const mostBefore = 8_000_000;

/**
 * The elements of a list inside the one object of a file, or of a file that is the list itself. The mark finds what
 * stands before the list, up to its bracket.
 */
export async function* elementsOf(
  bytes: AsyncIterable<Uint8Array>,
  { mark, name }: { mark: RegExp; name: string },
  maxElementBytes: number,
): AsyncGenerator<Element> {
  const iterator = bytes[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let size = 0;
  /** Looked at again when it is twice as long, so that a long beginning costs little. */
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
      yield* jsonElements(joined(head.subarray(from), iterator), maxElementBytes, { endsWithArray: true });
      return;
    }
    if (done === true || size > mostBefore) break;
  }
  yield { index: 0, broken: size === 0 ? 'the file is empty' : `it has no list of ${name}` };
}

function listIn(head: Buffer, mark: RegExp): number | undefined {
  // Every byte a character, so that places in the text are places in the bytes.
  const text = head.toString('latin1');
  if (/^[\s\xef\xbb\xbf]{0,100}\[/.test(text)) return 0;
  const found = mark.exec(text);
  return found === null ? undefined : found.index + found[0].length - 1;
}

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

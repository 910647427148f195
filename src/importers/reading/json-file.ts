import type { Found, SourceFile } from '../contract.js';
import { limits } from '../limits.js';
import { wholeText } from './whole.js';

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

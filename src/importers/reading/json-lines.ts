import { StringDecoder } from 'node:string_decoder';

export type Line = { number: number; value: unknown } | { number: number; broken: string };

/** The lines of a JSONL file, one at a time. Blank lines are nothing; a broken one is reported and passed over. */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line> {
  let number = 0;
  for await (const line of textLines(bytes, maxLineBytes)) {
    number += 1;
    if (line === undefined) yield { number, broken: 'it is too long' };
    else if (line.trim() !== '') yield parsed(number, line);
  }
}

/** The lines of a text; undefined stands for one that is too long to be kept in memory. */
export async function* textLines(
  bytes: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<string | undefined> {
  const decoder = new StringDecoder('utf8');
  let rest: string[] = [];
  let length = 0;
  let first = true;
  for await (const chunk of bytes) {
    const lines = decoder.write(Buffer.from(chunk)).split('\n');
    for (const [index, piece] of lines.entries()) {
      if (index > 0) {
        yield length > maxLineBytes ? undefined : clean(rest.join(''), first);
        first = false;
        rest = [];
        length = 0;
      }
      length += piece.length;
      if (length <= maxLineBytes) rest.push(piece);
    }
  }
  const last = rest.join('') + decoder.end();
  if (length > maxLineBytes) yield undefined;
  else if (last !== '') yield clean(last, first);
}

function clean(line: string, first: boolean): string {
  return (first ? line.replace(/^\uFEFF/, '') : line).replace(/\r$/, '');
}

function parsed(number: number, line: string): Line {
  try {
    return { number, value: JSON.parse(line) };
  } catch {
    // The parser's message would quote the text.
    return { number, broken: 'it is not valid JSON' };
  }
}

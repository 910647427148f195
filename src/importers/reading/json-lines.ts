export type Line = { number: number; value: unknown } | { number: number; broken: string };

const lineFeed = 0x0a;

/** The lines of a JSONL file, one at a time. Blank lines are nothing; a broken one is reported and passed over. */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line> {
  let number = 0;
  for await (const lines of textLines(bytes, maxLineBytes)) {
    for (const line of lines) {
      number += 1;
      if (line === undefined) yield { number, broken: 'it is too long' };
      else if (line.trim() !== '') yield parsed(number, line);
    }
  }
}

/** The lines of a text, those of a piece at a time; undefined stands for one that is too long to be kept in memory. */
async function* textLines(
  bytes: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<(string | undefined)[]> {
  let rest: Uint8Array[] = [];
  let length = 0;
  let first = true;
  const keep = (part: Uint8Array): void => {
    length += part.length;
    if (length <= maxLineBytes) rest.push(part);
  };
  const finish = (): string | undefined => {
    const line = length > maxLineBytes ? undefined : clean(Buffer.concat(rest).toString('utf8'), first);
    first = false;
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

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

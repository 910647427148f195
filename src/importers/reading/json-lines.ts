import { textLines } from '../../model/text-lines.js';

export type Line = { number: number; value: unknown } | { number: number; broken: string };

/** The lines of a JSONL file, one at a time. Blank lines are nothing; a broken one is reported and passed over. */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line> {
  let number = 0;
  for await (const lines of textLines(bytes, maxLineBytes)) {
    for (const line of lines) {
      number += 1;
      if (line === undefined) yield { number, broken: 'it is too long' };
      // A byte order mark counts as white space here, so a first line that holds nothing else is blank.
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

import { StringDecoder } from 'node:string_decoder';

/**
 * The rows of a CSV file (RFC 4180: quotes doubled inside quotes, line breaks allowed there) as objects keyed by its
 * header. A row that is too long, for example because a quote is never closed, yields an error string instead.
 */
export async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  maxRowLength: number,
): AsyncGenerator<Record<string, string> | string> {
  let header: string[] | undefined;
  for await (const rows of csvCells(bytes, maxRowLength)) {
    for (const cells of rows) {
      if (cells === undefined) yield 'it is too long';
      else if (cells.length === 1 && cells[0]?.trim() === '') continue;
      else if (header === undefined) header = cells.map((cell) => cell.replace(/^\uFEFF/, '').trim());
      else yield Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
    }
  }
}

const comma = 0x2c;
const lineFeed = 0x0a;

/** The rows of the input, chunk by chunk; undefined marks a row that was too long. */
async function* csvCells(
  bytes: AsyncIterable<Uint8Array>,
  maxRowLength: number,
): AsyncGenerator<(string[] | undefined)[]> {
  const decoder = new StringDecoder('utf8');
  let rows: (string[] | undefined)[] = [];
  let cells: string[] = [];
  let cell = '';
  let length = 0;
  let quoted = false;
  /** A chunk ended with a quote inside quotes: the next character decides whether it is an escaped quote. */
  let pending = false;

  const add = (text: string): void => {
    length += text.length;
    if (length <= maxRowLength) cell += text;
  };
  const endCell = (): void => {
    cells.push(cell);
    cell = '';
  };
  const endRow = (): void => {
    cell = cell.replace(/\r$/, '');
    endCell();
    rows.push(length > maxRowLength ? undefined : cells);
    cells = [];
    length = 0;
  };
  /** Reads quoted text up to the closing quote. */
  const takeQuoted = (text: string, from: number): number => {
    const end = text.indexOf('"', from);
    add(text.slice(from, end < 0 ? undefined : end));
    if (end < 0) return text.length;
    if (end + 1 === text.length) {
      pending = true;
      return end + 1;
    }
    if (text[end + 1] !== '"') {
      quoted = false;
      return end + 1;
    }
    add('"');
    return end + 2;
  };
  const takePlain = (text: string, from: number): number => {
    if (text[from] === '"' && cell === '') {
      quoted = true;
      return from + 1;
    }
    let end = from;
    while (end < text.length && text.charCodeAt(end) !== comma && text.charCodeAt(end) !== lineFeed) end += 1;
    add(text.slice(from, end));
    if (end === text.length) return end;
    if (text.charCodeAt(end) === comma) endCell();
    else endRow();
    return end + 1;
  };
  const take = (text: string): void => {
    let at = 0;
    if (pending && text !== '') {
      pending = false;
      quoted = text[0] === '"';
      if (quoted) add('"');
      at = quoted ? 1 : 0;
    }
    while (at < text.length) at = quoted ? takeQuoted(text, at) : takePlain(text, at);
  };

  for await (const chunk of bytes) {
    take(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)));
    yield rows;
    rows = [];
  }
  take(decoder.end());
  if (cell !== '' || cells.length > 0 || length > 0) endRow();
  yield rows;
}

import { StringDecoder } from 'node:string_decoder';

/** The rows of a CSV file (RFC 4180: quotes doubled inside quotes, line breaks allowed there) as objects by its header. */
export async function* csvRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, string>> {
  let header: string[] | undefined;
  for await (const cells of csvCells(bytes)) {
    if (cells.length === 1 && cells[0]?.trim() === '') continue;
    if (header === undefined) header = cells.map((cell) => cell.replace(/^\uFEFF/, '').trim());
    else yield Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
  }
}

async function* csvCells(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8');
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let pendingQuote = false;
  const endRow = (): string[] => {
    const row = [...cells, cell.replace(/\r$/, '')];
    cells = [];
    cell = '';
    return row;
  };
  const take = function* (text: string): Generator<string[]> {
    for (const character of text) {
      if (quoted) {
        if (pendingQuote) {
          pendingQuote = false;
          if (character === '"') {
            cell += '"';
            continue;
          }
          quoted = false;
        } else if (character === '"') {
          pendingQuote = true;
          continue;
        } else {
          cell += character;
          continue;
        }
      }
      if (character === '"' && cell === '') quoted = true;
      else if (character === ',') {
        cells.push(cell);
        cell = '';
      } else if (character === '\n') yield endRow();
      else cell += character;
    }
  };
  for await (const chunk of bytes) yield* take(decoder.write(Buffer.from(chunk)));
  yield* take(decoder.end());
  if (cell !== '' || cells.length > 0) yield endRow();
}

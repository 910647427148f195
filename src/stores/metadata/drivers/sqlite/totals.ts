import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Table } from '../../contract.js';
import { quoted } from '../../shared/sql/dialect.js';

/**
 * FTS5 keeps the number of rows and of words of an index beside it, and BM25 weighs a word by them. A row that is replaced
 * or removed in an index without content is not subtracted, so that after a reindex every word would seem twice as rare.
 * This counts again where the numbers are wrong. It needs a transaction of its own: FTS5 writes its own copy at a commit.
 */
export function settleTotals(database: DatabaseSyncInstance, tables: readonly Table[]): void {
  for (const { name, terms } of tables) {
    if (terms !== undefined) settleTotal(database, name);
  }
}

function settleTotal(database: DatabaseSyncInstance, table: string): void {
  const [data, sizes] = [quoted(`${table}_terms_data`), quoted(`${table}_terms_docsize`)];
  const stored = cellOf(database, `SELECT block FROM ${data} WHERE id = 1`);
  const rows = Number(cellOf(database, `SELECT count(*) FROM ${sizes}`));
  if (!(stored instanceof Uint8Array) || stored.length === 0 || numberAt(stored) === rows) return;
  let words = 0;
  const lengths: Iterable<unknown[]> = database.prepare(`SELECT sz FROM ${sizes}`, { returnArrays: true }).iterate();
  for (const [size] of lengths) {
    if (size instanceof Uint8Array) words += numberAt(size);
  }
  const block = Uint8Array.from([...bytesOf(rows), ...bytesOf(words)]);
  // SQLite has no command for it and protects the shadow tables of an index: the protection is lifted for this one row.
  database.enableDefensive(false);
  try {
    database.prepare(`UPDATE ${data} SET block = ? WHERE id = 1`).run(block);
  } finally {
    database.enableDefensive(true);
  }
}

function cellOf(database: DatabaseSyncInstance, text: string): unknown {
  const [row]: unknown[][] = database.prepare(text, { returnArrays: true }).all();
  return row?.[0];
}

/** SQLite's variable-length number: seven bits a byte, the highest first, the eighth bit says that more follow. */
export function numberAt(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}

function bytesOf(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80);
  return bytes;
}

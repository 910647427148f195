import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { numberAt } from './totals.js';

/** What the statements of local-search.ts call: the number of words that FTS5 keeps beside a row. */
export function addFunctions(database: DatabaseSyncInstance): void {
  database.function('word_count', { deterministic: true }, (size: Uint8Array) => numberAt(size));
}

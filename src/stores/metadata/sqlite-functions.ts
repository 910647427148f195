import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { numberAt } from './sqlite-totals.js';

const K1 = 1.2;
const B = 0.75;

/** What the statements of sqlite-local-search.ts call. */
export function addFunctions(database: DatabaseSyncInstance): void {
  const options = { deterministic: true };
  database.function('word_count', options, (size: Uint8Array) => numberAt(size));
  database.function('local_part', options, localPart);
}

function localPart(
  rank: number,
  size: Uint8Array,
  idfEverywhere: number,
  lengthEverywhere: number,
  idfLocal: number,
  lengthLocal: number,
): number {
  const words = numberAt(size);
  const shape = -rank / idfEverywhere;
  const times = Math.max(1, Math.round((shape * saturation(words, lengthEverywhere)) / (K1 + 1 - shape)));
  return (idfLocal * times * (K1 + 1)) / (times + saturation(words, lengthLocal));
}

function saturation(words: number, length: number): number {
  return K1 * (1 - B + (B * words) / length);
}

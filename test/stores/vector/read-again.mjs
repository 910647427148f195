// Scans the rows of a table that is read again and again, as it is after each compaction.
// Argument: how often. Prints how many memories of rows are left: each reserves gigabytes of addresses, which Linux lists.
import { readFileSync } from 'node:fs';
import { createScanner } from '../../../dist/stores/vector/shared/memory/scan/scanner.js';
import { codedQuery, createCodes } from '../../../dist/stores/vector/shared/memory/search.js';

const count = 5_000;
const vector = Float32Array.from({ length: 256 }, (_, at) => at + 1);
const scanner = createScanner();

for (let times = 0; times < Number(process.argv[2]); times++) {
  const codes = createCodes(vector.length);
  for (let row = 0; row < count; row++) codes.put(row, vector, 1);
  const options = { rows: count, distance: 'cosine', limit: 1, scopes: [1] };
  await scanner.near(codes.shared(), codedQuery(vector), options);
  global.gc();
}
const reserved = readFileSync('/proc/self/maps', 'latin1').matchAll(/^([0-9a-f]+)-([0-9a-f]+) ---p/gm);
const sizes = [...reserved].map(([, from, to]) => Number.parseInt(to, 16) - Number.parseInt(from, 16));
process.stdout.write(String(sizes.filter((size) => size > 7e9).length));
await scanner.stop();

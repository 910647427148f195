/**
 * A process of its own for sqlite-processes.test.ts: opens the database, writes rows with four writers and prints each id
 * once its write has resolved. `node sqlite-child.mjs <path> <prefix> <rows>`; 0 rows means until killed.
 */
import { sqlite } from '../../../dist/stores/metadata/drivers/sqlite/sqlite.js';

const [path, prefix, rows] = process.argv.slice(2);
const last = Number(rows) === 0 ? Number.POSITIVE_INFINITY : Number(rows);
const store = sqlite.create({ settings: {}, path });
await store.open([{ name: 'notes', columns: { text: { type: 'text' } }, terms: 'terms' }]);

let next = 0;
const writer = async () => {
  while (next < last) {
    const id = `${prefix}-${next++}`;
    await store.write([{ kind: 'insert', table: 'notes', row: { id, text: 'note', terms: `word ${id}` } }]);
    process.stdout.write(`${id}\n`);
  }
};
await Promise.all([writer(), writer(), writer(), writer()]);
await store.close();

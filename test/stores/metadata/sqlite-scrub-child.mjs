/**
 * A process of its own for sqlite-scrub.test.ts: cleans the database and prints by how many bytes its memory grew.
 * `node sqlite-scrub-child.mjs <path>`
 */
import { sqlite } from '../../../dist/stores/metadata/drivers/sqlite/sqlite.js';

const [path] = process.argv.slice(2);
const store = sqlite.create({ settings: {}, path });
await store.open([{ name: 'notes', columns: { text: { type: 'text' } } }]);
const before = process.resourceUsage().maxRSS;
await store.scrub();
process.stdout.write(String((process.resourceUsage().maxRSS - before) * 1024));
await store.close();

// Imports every export in a folder. Let it run each night; what is known already changes nothing:
//   15 3 * * *  node nightly-import.mjs /home/nora/memory /home/nora/exports
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryError, openMemory } from 'threadkeep';

const [folder, exports] = process.argv.slice(2);
if (exports === undefined) throw new Error('Usage: node nightly-import.mjs MEMORY FOLDER');
const memory = await openMemory({ dataDir: folder });

for (const filename of (await readdir(exports)).sort()) {
  try {
    const report = await memory.import(createReadStream(join(exports, filename)), { format: 'auto', filename });
    const { imported, appended, duplicates, skipped } = report;
    process.stdout.write(`${filename}: ${imported} new, ${appended} grown, ${duplicates} known, ${skipped} left out\n`);
  } catch (error) {
    // One damaged file must not keep the others from being imported; the exit status tells of it.
    if (!(error instanceof MemoryError)) throw error;
    process.stderr.write(`${filename}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
await memory.close();

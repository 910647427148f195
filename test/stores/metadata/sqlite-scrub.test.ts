import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { sqlite } from '../../../src/stores/metadata/drivers/sqlite/sqlite.js';
import { aFolder } from '../../support/service.js';

const script = fileURLToPath(new URL('./sqlite-scrub-child.mjs', import.meta.url));

/** A database of ours with this many rows of 2,000 characters. */
async function aDatabase(rows: number): Promise<string> {
  const path = join(await aFolder(), 'metadata.sqlite3');
  const store = sqlite.create({ settings: {}, path });
  await store.open([{ name: 'notes', columns: { text: { type: 'text' } } }]);
  await store.close();
  const database = new DatabaseSync(path);
  database.exec(`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
    INSERT INTO notes (id, text) SELECT n, hex(randomblob(1000)) FROM numbers;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
  return path;
}

describe('cleaning a large SQLite file', () => {
  it('takes no more memory than a small one, and leaves no file behind', async () => {
    const path = await aDatabase(80_000);
    const { size } = await stat(path);
    const { stdout } = await promisify(execFile)(process.execPath, [script, path]);
    expect(Number(stdout)).toBeLessThan(size / 2);
    expect(await readdir(join(path, '..'))).toEqual(['metadata.sqlite3']);
  });
});

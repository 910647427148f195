import { dirname, resolve } from 'node:path';
import { quoted } from '../../shared/sql/dialect.js';
import type { Connection } from './connection.js';

/**
 * Takes what was removed out of the files: the text index drops the words of removed rows when its segments are joined,
 * the file is written anew without its free pages, and the log is emptied, because it still holds the old ones.
 */
export function scrub({ database }: Connection, path: string, textIndexes: readonly string[]): undefined {
  for (const name of textIndexes) database.exec(`INSERT INTO ${quoted(name)}(${quoted(name)}) VALUES ('optimize')`);
  writeAnew(database, dirname(resolve(path)));
  const [busy]: unknown[][] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)', { returnArrays: true }).all();
  if (busy?.[0] !== 0) throw new Error('another process was reading; its log could not be emptied');
}

/**
 * The new file is first written beside the old one, of which it has only what stays: one that is larger than the cache
 * would not always fit into memory. It has no name from the moment it is open, so a crash leaves nothing behind. The
 * folder is set for the whole process and stays, as nothing else of ours makes such a file.
 */
function writeAnew(database: Connection['database'], folder: string): void {
  database.exec(`PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'`);
  try {
    database.exec('PRAGMA secure_delete = ON; VACUUM');
  } finally {
    database.exec('PRAGMA temp_store = MEMORY');
  }
}

import { quoted } from './sql-dialect.js';
import type { Connection } from './sqlite-connection.js';

/**
 * Takes what was removed out of the files: the text index drops the words of removed rows when its segments are joined,
 * the file is written anew without its free pages, and the log is emptied, because it still holds the old ones.
 */
export function scrub({ database }: Connection, textIndexes: readonly string[]): undefined {
  for (const name of textIndexes) database.exec(`INSERT INTO ${quoted(name)}(${quoted(name)}) VALUES ('optimize')`);
  database.exec('PRAGMA secure_delete = ON; VACUUM');
  const [busy] = database
    .prepare('PRAGMA wal_checkpoint(TRUNCATE)', { returnArrays: true })
    .all() as unknown as number[][];
  if (busy?.[0] !== 0) throw new Error('another process was reading; its log could not be emptied');
}

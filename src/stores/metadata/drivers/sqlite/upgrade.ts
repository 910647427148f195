import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { newCopy, removeOldCopies } from '../../shared/upgrade-copies.js';

/**
 * Copies the whole database as of one moment, before a newer version of Threadkeep changes its tables. The copy is a
 * SQLite file, so the older version can open it in place of the database. Only its owner may read it.
 */
export function copyBeforeUpgrade(database: DatabaseSyncInstance, folder: string, schemaVersion: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = newCopy(folder, schemaVersion, 'sqlite3');
  // Created empty first: SQLite would make it world-readable.
  closeSync(openSync(path, 'wx', 0o600));
  try {
    database.prepare('VACUUM INTO ?').run(path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  removeOldCopies(folder);
  return path;
}

import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** Next to the database. */
export const copiesFolder = 'backups';

const named = /^metadata-v\d+-\d{8}T\d{9}Z\.sqlite3$/;
/** How many copies are kept: those of the last upgrades. */
const KEPT = 3;

/**
 * Copies the whole database as of one moment, before a newer version of Threadkeep changes its tables. The copy is a
 * SQLite file, so the older version can open it in place of the database. Only its owner may read it.
 */
export function copyBeforeUpgrade(database: DatabaseSyncInstance, folder: string, schemaVersion: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const path = join(folder, `metadata-v${schemaVersion}-${at}.sqlite3`);
  // Created empty first: SQLite would make it world-readable.
  closeSync(openSync(path, 'wx', 0o600));
  try {
    database.prepare('VACUUM INTO ?').run(path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  for (const old of copiesIn(folder).slice(KEPT)) rmSync(old, { force: true });
  return path;
}

/** Newest first. */
export function copiesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => named.test(name));
    // Sorted by the time in the name, not by the schema version before it.
    return names.sort((one, other) => (one.slice(-24) < other.slice(-24) ? 1 : -1)).map((name) => join(folder, name));
  } catch {
    // Without the folder there are no copies.
    return [];
  }
}

import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** Beside the database. */
export const copiesFolder = 'backups';

const named = /^metadata-v\d+-\d{8}T\d{9}Z\.sqlite3$/;
/** Copies that stay: of the last upgrades. */
const KEPT = 3;

/**
 * The database as it is, whole and at one moment, before a newer version of Threadkeep changes its tables. A file of
 * SQLite itself, because an older layout is best kept in its own form: put in place of the database, the older version
 * opens it. Only its owner may read it.
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

/** The newest first. */
export function copiesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => named.test(name));
    // Names of one schema version are in the order of time; the time is compared, not the version.
    return names.sort((one, other) => (one.slice(-24) < other.slice(-24) ? 1 : -1)).map((name) => join(folder, name));
  } catch {
    // No folder, no copies.
    return [];
  }
}

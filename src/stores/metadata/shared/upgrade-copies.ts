import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../../model/errors.js';

/** The copies that are made before a newer version changes the tables: of a database file, or backups of a server. */

/** Next to the database file, or in the data folder. */
export const copiesFolder = 'backups';

const named = /^metadata-v\d+-(\d{8}T\d{9}Z)\.(?:sqlite3|tkbackup)$/;
/** How many copies are kept: those of the last upgrades. */
const KEPT = 3;

export function newCopy(folder: string, schemaVersion: number, kind: 'sqlite3' | 'tkbackup'): string {
  const at = new Date().toISOString().replaceAll(/[-:.]/g, '');
  return join(folder, `metadata-v${schemaVersion}-${at}.${kind}`);
}

/** Newest first. */
export function copiesIn(folder: string): string[] {
  try {
    const copies = readdirSync(folder).flatMap((name) => {
      const at = named.exec(name)?.[1];
      return at === undefined ? [] : [{ at, path: join(folder, name) }];
    });
    // Sorted by the time in the name, not by the schema version before it.
    return copies.sort((one, other) => (one.at < other.at ? 1 : -1)).map(({ path }) => path);
  } catch {
    // Without the folder there are no copies.
    return [];
  }
}

export function removeOldCopies(folder: string): void {
  for (const old of copiesIn(folder).slice(KEPT)) rmSync(old, { force: true });
}

export function uncopied(folder: string, cause?: unknown): StartupError {
  return new StartupError(
    'upgrade_not_copied',
    'The data is from an older version and could not be copied before the upgrade.',
    {
      hint: `Free space for a copy of the database in ${folder}, or make that folder writable; nothing was changed.`,
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

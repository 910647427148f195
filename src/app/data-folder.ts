import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { StartupError } from '../model/errors.js';
import type { Records } from '../records/open.js';
import { makeFolder } from '../stores/shared/make-folder.js';

const LOCK_FILE = 'in-use.lock';

export interface DataLock {
  release(): void;
}

/**
 * Who uses a data folder: any number of processes share it, while emptying the vector index needs it alone. The lock
 * is SQLite's own on a file of its own, because the operating system drops it when a process dies, however it dies.
 */
export function lockData(folder: string, mode: 'shared' | 'exclusive', patience = 2_000): DataLock {
  const database = openLockFile(folder, patience);
  try {
    database.exec(mode === 'shared' ? 'BEGIN; SELECT count(*) FROM sqlite_schema' : 'BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw isBusy(cause) ? refusal(mode, cause) : unusable(folder, cause);
  }
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      database.exec('COMMIT');
      database.close();
    },
  };
}

/** True when no other process uses the folder at this moment. Call it before taking a lock of one's own. */
export function isUnused(folder: string): boolean {
  try {
    lockData(folder, 'exclusive', 0).release();
    return true;
  } catch {
    // Being in use is the answer, not a failure.
    return false;
  }
}

function openLockFile(folder: string, timeout: number) {
  try {
    makeFolder(folder);
    return new DatabaseSync(join(folder, LOCK_FILE), { timeout });
  } catch (cause) {
    throw unusable(folder, cause);
  }
}

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/** The folder is the person's own setting, so it is named. */
function unusable(folder: string, cause: unknown): StartupError {
  const hint =
    resultCode(cause) === SQLITE_NOTADB
      ? `Delete ${LOCK_FILE} in it: that file is damaged and holds nothing.`
      : 'Check that it is a folder, that its disk is neither full nor mounted read-only, and that Threadkeep may write to it.';
  return new StartupError('data_unusable', `The data folder ${folder} cannot be used.`, { hint, cause });
}

function refusal(mode: 'shared' | 'exclusive', cause: unknown): StartupError {
  if (mode === 'shared') {
    return new StartupError(
      'data_in_use',
      'The vector index of this data folder is being rebuilt by another process.',
      {
        hint: 'Wait until `threadkeep reindex` has finished, then start again.',
        cause,
      },
    );
  }
  return new StartupError('data_in_use', 'Another process uses this data folder.', {
    hint: 'Rebuilding the index for another model needs it alone: stop the server, then run `threadkeep reindex` again.',
    cause,
  });
}

/** The setting that says which backup is being restored; gone when everything is there. */
export const restoreMark = 'restore';

/** The setting that says which installation is being copied into this one, and how far that is. */
export const migrationMark = 'migration';

/** `vectors`: every row is there and checked, and only vectors are still being made. */
export type Migration = {
  source: string;
  stage: 'rows' | 'vectors';
};

export async function refuseUnfinishedRestore({ settings }: Pick<Records, 'settings'>): Promise<void> {
  const migration = (await settings.get(migrationMark)) as Migration | undefined;
  if (migration?.stage === 'rows') {
    throw new StartupError('restore_unfinished', 'A migration into this store did not reach its end.', {
      hint: 'Run `threadkeep migrate` with the same two configurations again; it goes on where it stopped.',
    });
  }
  if ((await settings.get(restoreMark)) === undefined) return;
  throw new StartupError('restore_unfinished', 'A restore into this store did not reach its end.', {
    hint: 'Run `threadkeep restore` with the same file again; it goes on where it stopped.',
  });
}

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
 * Locks a data folder: any number of processes share it, while emptying the vector index needs it exclusively. The lock
 * is SQLite's own, on a separate file, because the operating system releases it however a process dies.
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

/** True when no other process uses the folder at this moment. Call it before taking your own lock. */
export function isUnused(folder: string): boolean {
  try {
    lockData(folder, 'exclusive', 0).release();
    return true;
  } catch {
    // "In use" is a valid answer, not a failure.
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

/** The folder comes from the user's own settings, so the message may name it. */
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
  return new StartupError('data_in_use', 'Another process is using this data folder.', {
    hint: 'Rebuilding the index for another model needs exclusive access: stop the server, then run `threadkeep reindex` again.',
    cause,
  });
}

/** The setting that names the backup being restored; removed when the restore is complete. */
export const restoreMark = 'restore';

/** The setting that names the installation being copied into this one, and the stage reached. */
export const migrationMark = 'migration';

/** `vectors`: all rows are copied and verified; only vectors are still being computed. */
export type Migration = {
  source: string;
  stage: 'rows' | 'vectors';
};

export async function refuseUnfinishedRestore({ settings }: Pick<Records, 'settings'>): Promise<void> {
  const migration = (await settings.get(migrationMark)) as Migration | undefined;
  if (migration?.stage === 'rows') {
    throw new StartupError('restore_unfinished', 'A migration into this store was interrupted.', {
      hint: 'Run `threadkeep migrate` with the same two configurations again; it continues where it stopped.',
    });
  }
  if ((await settings.get(restoreMark)) === undefined) return;
  throw new StartupError('restore_unfinished', 'A restore into this store was interrupted.', {
    hint: 'Run `threadkeep restore` with the same file again; it continues where it stopped.',
  });
}

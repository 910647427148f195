import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { StartupError } from '../model/errors.js';
import { makeFolder } from '../stores/shared/make-folder.js';

export interface DataLock {
  release(): void;
}

/**
 * Who uses a data folder: any number of processes share it, while emptying the vector index needs it alone. The lock
 * is SQLite's own on a file of its own, because the operating system drops it when a process dies, however it dies.
 */
export function lockData(folder: string, mode: 'shared' | 'exclusive', patience = 2_000): DataLock {
  makeFolder(folder);
  const database = new DatabaseSync(join(folder, 'in-use.lock'), { timeout: patience });
  try {
    database.exec(mode === 'shared' ? 'BEGIN; SELECT count(*) FROM sqlite_schema' : 'BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw refusal(mode, cause);
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

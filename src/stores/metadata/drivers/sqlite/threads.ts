import { dirname, join } from 'node:path';
import { StartupError } from '../../../../model/errors.js';
import { makeFile, makeFolder } from '../../../shared/make-folder.js';
import type { Table } from '../../contract.js';
import type { MetadataPlace } from '../../driver.js';
import { startThread, type Thread } from './thread.js';
import { copiesFolder } from './upgrade.js';

export interface Threads {
  reader: Thread;
  /** Absent when the place is read-only. */
  writer?: Thread;
}

/** No threads are left running when it fails or when the database is newer than this program. */
export async function openThreads(
  { path, readOnly = false }: MetadataPlace,
  tables: readonly Table[],
): Promise<{ schemaVersion: number; copy?: string; threads?: Threads }> {
  const inMemory = path === ':memory:';
  if (!inMemory && !readOnly) {
    makeFolder(dirname(path));
    makeFile(path);
  }
  const copies = inMemory || readOnly ? {} : { copies: join(dirname(path), copiesFolder) };
  const inPlace = inMemory ? [] : readOnly ? [path] : [path, `${path}-wal`];
  const first = startThread({ path, readOnly, inPlace, ...copies });
  const threads = readOnly ? { reader: first } : { reader: first, writer: first };
  try {
    const { schemaVersion, state, ...copy } = await first.call({ kind: 'open', tables });
    if (state === 'foreign') throw foreignDatabase();
    if (state === 'uncopied') throw uncopiedDatabase(join(dirname(path), copiesFolder));
    if (state === 'newer') {
      await first.end();
      return { schemaVersion };
    }
    if (!inMemory && !readOnly) {
      threads.reader = startThread({ path, readOnly: true, inPlace });
      await threads.reader.call({ kind: 'open' });
    }
    return { schemaVersion, threads, ...copy };
  } catch (error) {
    await Promise.allSettled([threads.reader.end(), first.end()]);
    throw error;
  }
}

/** A thread that sees the database as it is now, whatever is written later; ending it ends the view. */
export async function openSnapshot(path: string): Promise<Thread> {
  const thread = startThread({ path, readOnly: true, inPlace: [] });
  try {
    await thread.call({ kind: 'open' });
    await thread.call({ kind: 'query', text: 'BEGIN', parameters: [] });
    // A transaction that only reads begins with its first read.
    await thread.call({ kind: 'query', text: 'SELECT count(*) FROM sqlite_schema', parameters: [] });
    return thread;
  } catch (error) {
    await thread.end();
    throw error;
  }
}

export async function endThreads({ reader, writer }: Threads): Promise<void> {
  try {
    await reader.end();
  } finally {
    await writer?.end();
  }
}

function uncopiedDatabase(folder: string): StartupError {
  return new StartupError(
    'upgrade_not_copied',
    'The data is of an older version, and it could not be copied before the upgrade.',
    {
      hint: `Make room for a copy of the database in ${folder}, or make that folder writable; nothing was changed.`,
    },
  );
}

function foreignDatabase(): StartupError {
  return new StartupError('schema_version_unsupported', 'The metadata database was made by another program.', {
    hint: 'Choose another data folder, or move that file away; it was not changed.',
  });
}

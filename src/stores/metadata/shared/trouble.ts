/** What went wrong with a store's disk, files or path, and how to fix it. */
export interface Trouble {
  what: string;
  remedy: string;
}

const full: Trouble = {
  what: 'The disk of the metadata store is full',
  remedy: 'Free some space and try again; a restart is not needed.',
};
const unwritable: Trouble = {
  what: 'The files of the metadata store cannot be opened or written',
  remedy: 'Check that the data folder exists, is not mounted read-only, and that Threadkeep may write to it.',
};
const failing: Trouble = {
  what: 'The disk of the metadata store reported an error',
  remedy: 'Check the disk and its free space, then try again.',
};
const damaged: Trouble = {
  what: 'The metadata database is damaged or not a database',
  remedy: 'Stop the server, move the file away, and restore a backup with `threadkeep restore`.',
};
const busy: Trouble = {
  what: 'Another process keeps the metadata store busy',
  remedy: 'Try again, and check which other program uses the data folder.',
};
const moved: Trouble = {
  what: 'The metadata database was moved or deleted while it was open, so nothing more can be stored',
  remedy: 'Put the data folder back and restart the server.',
};

/** SQLite's primary result codes. */
const ofSqlite: Readonly<Record<number, Trouble>> = {
  3: unwritable,
  5: busy,
  6: busy,
  8: unwritable,
  10: failing,
  11: damaged,
  13: full,
  14: unwritable,
  26: damaged,
};
/** SQLite's own code for a moved database, which it reports only without a write-ahead log. */
export const DATABASE_MOVED = 1032;

/** Error codes of the operating system, and the disk-full codes of PostgreSQL and MongoDB. */
const ofCodes: Readonly<Record<string, Trouble>> = {
  ENOSPC: full,
  EDQUOT: full,
  53100: full,
  14031: full,
  EACCES: unwritable,
  EPERM: unwritable,
  EROFS: unwritable,
  EEXIST: unwritable,
  ENOTDIR: unwritable,
  ENOENT: unwritable,
  EIO: failing,
};

/** Undefined for failures that are not about the disk. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errcode, code } = error as Error & { errcode?: unknown; code?: unknown };
  if (errcode === DATABASE_MOVED) return moved;
  if (typeof errcode === 'number') return ofSqlite[errcode & 0xff];
  return ofCodes[String(code)] ?? troubleOf(error.cause);
}

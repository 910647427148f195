import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Table } from '../../contract.js';
import type { Statement } from '../../shared/sql/dialect.js';
import { DATABASE_MOVED } from '../../shared/trouble.js';
import { newCopy, removeOldCopies } from '../../shared/upgrade-copies.js';
import type { Failure, Opened, ThreadSettings } from './protocol.js';
import { checkSchema, inspectSchema, needsUpgrade, numberAt, prepareSchema } from './schema.js';

/** A SQLite connection in its worker thread: opening it, and committing a group of writes. */

/** How long a statement waits while another process holds the lock. */
const BUSY_MILLISECONDS = 15_000;
const STATEMENTS_KEPT = 256;
const SQLITE_BUSY = 5;

export interface Connection {
  opened: Opened;
  database: DatabaseSyncInstance;
  /** A cached prepared statement for this text; the least recently used one is dropped. */
  prepare(text: string): StatementSyncInstance;
  /** Throws when the files at the path are no longer the ones that were opened. */
  requireInPlace(): void;
}

/** Connects according to the settings. Journal mode and schema are changed only in a writable file of ours. */
export function connect(settings: ThreadSettings, tables: readonly Table[] | undefined): Connection {
  const database = new DatabaseSync(settings.path, {
    readOnly: settings.readOnly,
    timeout: BUSY_MILLISECONDS,
    enableForeignKeyConstraints: true,
    returnArrays: true,
  });
  try {
    addFunctions(database);
    const opened = setUp(database, settings, tables);
    if (opened.state !== 'ready') database.close();
    return {
      opened,
      database,
      prepare: statementCache(database),
      requireInPlace: placeGuard(settings.inPlace),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function setUp(database: DatabaseSyncInstance, settings: ThreadSettings, tables?: readonly Table[]): Opened {
  database.exec('PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY');
  const found = inspectSchema(database);
  if (found.state !== 'ready') return found;
  if (settings.readOnly) {
    // Memory-mapping saves copying each page on reads; writes gain nothing from it.
    database.exec('PRAGMA mmap_size = 268435456');
    if (tables !== undefined) checkSchema(database, tables);
    return found;
  }
  whenFree(() => database.exec('PRAGMA journal_mode = WAL'));
  // FULL syncs the log at each commit, so acknowledged writes survive a power cut.
  database.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864');
  const copy = needsUpgrade(database, tables ?? []) ? copied(database, settings, found.schemaVersion) : {};
  if ('state' in copy) return { ...found, ...copy };
  prepareSchema(database, tables ?? []);
  return { ...inspectSchema(database), ...copy };
}

function copied(
  database: DatabaseSyncInstance,
  { copies }: ThreadSettings,
  schemaVersion: number,
): { copy?: string } | { state: 'uncopied' } {
  if (copies === undefined) return {};
  try {
    return { copy: copyBeforeUpgrade(database, copies, schemaVersion) };
  } catch {
    // Most likely the disk is full; the caller reports it, and nothing was changed.
    return { state: 'uncopied' };
  }
}

/** SQLite does not use its busy timeout while switching to WAL, so two processes on a fresh file need this loop. */
function whenFree(action: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += 20) {
    try {
      action();
      return;
    } catch (error) {
      if (!isBusy(error) || waited >= BUSY_MILLISECONDS) throw error;
    }
    Atomics.wait(pause, 0, 0, 20);
  }
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
  return (code & 0xff) === SQLITE_BUSY;
}

function statementCache(database: DatabaseSyncInstance): Connection['prepare'] {
  const kept = new Map<string, StatementSyncInstance>();
  return (text) => {
    const statement = kept.get(text) ?? database.prepare(text);
    // A Map keeps insertion order; re-inserting on use makes the first key the least recently used.
    kept.delete(text);
    kept.set(text, statement);
    const [oldest] = kept.keys();
    if (kept.size > STATEMENTS_KEPT && oldest !== undefined) kept.delete(oldest);
    return statement;
  };
}

/** Used by the statements in search.ts: the word count that FTS5 stores with a row. */
function addFunctions(database: DatabaseSyncInstance): void {
  database.function('word_count', { deterministic: true }, (size: Uint8Array) => numberAt(size));
}

/**
 * Checks before each commit, in microseconds, that the file is still in place. Writes to a file that was deleted or
 * moved while open seem to succeed but are lost with the process, and with a write-ahead log SQLite does not check.
 */
function placeGuard(paths: readonly string[]): () => void {
  const files = paths.flatMap((file) => {
    const identity = identityOf(file);
    return identity === undefined ? [] : [{ file, identity }];
  });
  return () => {
    if (files.every(({ file, identity }) => identityOf(file) === identity)) return;
    const message = 'the metadata database was moved or deleted while it was open';
    throw Object.assign(new Error(message), { errcode: DATABASE_MOVED });
  };
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/** Primary key, unique index and rowid violations: another writer's row exists. */
const CONFLICTS = new Set([1555, 2067, 2579]);

/**
 * Runs several writes in one transaction, each atomic on its own: a failed write is rolled back to its savepoint and
 * reported, the others are kept. Throws when the transaction itself fails; then none of them is committed.
 */
export function runWrites(connection: Connection, writes: readonly Statement[][]): (Failure | undefined)[] {
  const { database, prepare, requireInPlace } = connection;
  requireInPlace();
  prepare('BEGIN IMMEDIATE').run();
  try {
    const outcomes = writes.map((statements) => runWrite(connection, statements));
    prepare('COMMIT').run();
    return outcomes;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function runWrite(connection: Connection, statements: readonly Statement[]): Failure | undefined {
  connection.prepare('SAVEPOINT one_write').run();
  const failure = firstFailure(connection, statements);
  if (failure !== undefined) connection.prepare('ROLLBACK TO one_write').run();
  connection.prepare('RELEASE one_write').run();
  return failure;
}

function firstFailure({ database, prepare }: Connection, statements: readonly Statement[]): Failure | undefined {
  for (const { table, text, parameters, mustChange } of statements) {
    try {
      const { changes } = prepare(text).run(...parameters);
      if (mustChange !== undefined && changes !== mustChange)
        return { message: 'an expected value differs', conflict: table };
    } catch (error) {
      // A full disk, for example, aborts the whole transaction and every write of the group.
      if (!database.isTransaction) throw error;
      return { ...failureOf(error), ...(isConflict(error) && { conflict: table }) };
    }
  }
  return undefined;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...('code' in error && { code: String(error.code) }),
    ...('errcode' in error && { errcode: Number(error.errcode) }),
  };
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && CONFLICTS.has(Number(error.errcode));
}

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

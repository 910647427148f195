import { statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Table } from '../../contract.js';
import type { Statement } from '../../shared/sql/dialect.js';
import { DATABASE_MOVED } from '../../shared/trouble.js';
import type { Failure, Opened, ThreadSettings } from './protocol.js';
import { checkSchema, inspectSchema, needsUpgrade, numberAt, prepareSchema } from './schema.js';
import { copyBeforeUpgrade } from './upgrade.js';

/*
 * A connection to SQLite in its thread: how it is opened, and how a group of writes is committed.
 */

/** How long a statement waits while another process holds the lock. */
const BUSY_MILLISECONDS = 15_000;
const STATEMENTS_KEPT = 256;
const SQLITE_BUSY = 5;

export interface Connection {
  opened: Opened;
  database: DatabaseSyncInstance;
  /** A prepared statement, kept for the next use of the same text; the longest unused one is dropped. */
  prepare(text: string): StatementSyncInstance;
  /** Throws when the files that were opened are no longer those at their path. */
  requireInPlace(): void;
}

/** Connects as the settings say. Only a writable file of ours is changed: journal mode and schema. */
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
    // Mapping the file saves a copy of each page read; writing gains nothing from it.
    database.exec('PRAGMA mmap_size = 268435456');
    if (tables !== undefined) checkSchema(database, tables);
    return found;
  }
  whenFree(() => database.exec('PRAGMA journal_mode = WAL'));
  // FULL syncs the log at each commit: what was acknowledged survives a power cut.
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
    // Most likely the disk is full; the caller says what to do, and nothing was changed.
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
    // A Map remembers the order of insertion; re-inserting makes the first key the longest unused.
    kept.delete(text);
    kept.set(text, statement);
    const [oldest] = kept.keys();
    if (kept.size > STATEMENTS_KEPT && oldest !== undefined) kept.delete(oldest);
    return statement;
  };
}

/** Called by the statements of search.ts: the number of words that FTS5 stores with a row. */
function addFunctions(database: DatabaseSyncInstance): void {
  database.function('word_count', { deterministic: true }, (size: Uint8Array) => numberAt(size));
}

/**
 * A file that is deleted or moved away while it is open takes writes as if nothing had happened, and they are gone with the
 * process. With a write-ahead log SQLite does not look, so we do, before each commit: it costs microseconds.
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

/** Primary key, unique index and rowid: someone else's row is in the way. */
const CONFLICTS = new Set([1555, 2067, 2579]);

/**
 * Runs several writes as one transaction, each all-or-nothing on its own: a failed one is undone to its savepoint and
 * reported, the others stand. Throws when the transaction itself fails; then none of them happened.
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
      // A full disk, for example, ends the whole transaction and every write of the group.
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

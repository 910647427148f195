import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StartupError } from '../../../../model/errors.js';
import { makeFile, makeFolder } from '../../../shared/make-folder.js';
import type { MetadataPlace, Table } from '../../contract.js';
import type { SqlValue } from '../../shared/sql/dialect.js';
import { copiesFolder, uncopied } from '../../shared/upgrade-copies.js';
import {
  type Envelope,
  type Failure,
  type Message,
  PARTS_UNDER_WAY,
  type Replies,
  type Request,
  type ThreadSettings,
} from './protocol.js';

export interface Threads {
  reader: Thread;
  /** Absent when the place is read-only. */
  writer?: Thread;
}

/** Leaves no thread running when it fails or when the database is newer than this program. */
export async function openThreads(
  { path, readOnly = false }: Omit<MetadataPlace<object>, 'settings'>,
  tables: readonly Table[],
): Promise<{ schemaVersion: number; copy?: string; threads?: Threads }> {
  const inMemory = path === ':memory:';
  if (!inMemory && !readOnly) {
    makeFolder(dirname(path));
    makeFile(path);
  }
  const copies = inMemory || readOnly ? {} : { copies: join(dirname(path), copiesFolder) };
  const inPlace = inMemory ? [] : readOnly ? [path] : [path, `${path}-wal`];
  const first = startThread({ path, readOnly, inPlace, tables, ...copies });
  // Started now, so that it loads while the first one opens the database.
  const second = inMemory || readOnly ? undefined : startThread({ path, readOnly: true, inPlace, tables });
  try {
    const { schemaVersion, state, ...copy } = await first.call({ kind: 'open', tables });
    if (state === 'foreign') throw foreignDatabase();
    if (state === 'uncopied') throw uncopied(join(dirname(path), copiesFolder));
    if (state === 'newer') {
      await Promise.all([second?.end(), first.end()]);
      return { schemaVersion };
    }
    await second?.call({ kind: 'open' });
    const threads = readOnly ? { reader: first } : { reader: second ?? first, writer: first };
    return { schemaVersion, threads, ...copy };
  } catch (error) {
    await Promise.allSettled([second?.end(), first.end()]);
    throw error;
  }
}

/** A thread with a snapshot of the database; ending it ends the snapshot. */
export async function openSnapshot(path: string): Promise<Thread> {
  const thread = startThread({ path, readOnly: true, inPlace: [], tables: [] });
  try {
    await thread.call({ kind: 'open' });
    await thread.call({ kind: 'query', text: 'BEGIN', parameters: [] });
    // A read transaction starts with its first read.
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

function foreignDatabase(): StartupError {
  return new StartupError('schema_version_unsupported', 'The metadata database was created by another program.', {
    hint: 'Choose another data folder, or move that file away; it was not changed.',
  });
}

/** The main-thread side of a worker thread that holds one connection. Calls are answered in order. */
export interface Thread {
  /** Rejects with the thread's error, and at once when the thread has ended. */
  call<Kind extends Request['kind']>(request: Extract<Request, { kind: Kind }>): Promise<Replies[Kind]>;
  /** Answers earlier calls, closes the connection and ends the thread. Idempotent. */
  end(): Promise<void>;
}

interface Pending {
  rows: SqlValue[][];
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function startThread(place: Omit<ThreadSettings, 'credit'>): Thread {
  const credit = new Int32Array(new SharedArrayBuffer(4));
  Atomics.store(credit, 0, PARTS_UNDER_WAY);
  const workerData: ThreadSettings = { ...place, credit: credit.buffer };
  // The process's own flags (loaders, inspectors) do not apply to this thread.
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData, execArgv: [] });
  worker.unref();

  const pending = new Map<number, Pending>();
  let waiting: Envelope[] = [];
  let calls = 0;
  let died: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    worker.on('error', (cause) => die(cause));
    worker.on('exit', () => {
      die(undefined);
      resolve();
    });
  });

  worker.on('message', (messages: readonly Message[]) => {
    for (const message of messages) take(message);
  });

  return { call, end };

  function take(message: Message): void {
    const call = pending.get(message.number);
    if (call === undefined) return;
    if (message.kind === 'part') {
      takePart(call, message.rows);
      return;
    }
    settle(message.number);
    if (message.kind === 'failed') call.reject(errorOf(message.failure));
    else call.resolve(call.rows.length === 0 ? message.value : withRest(call.rows, message.value as SqlValue[][]));
  }

  function call<Kind extends Request['kind']>(request: Extract<Request, { kind: Kind }>): Promise<Replies[Kind]> {
    return new Promise((resolve, reject) => {
      if (died !== undefined) return reject(died);
      const number = calls++;
      if (waiting.length === 0) process.nextTick(post);
      waiting.push({ number, request });
      pending.set(number, { rows: [], resolve: resolve as Pending['resolve'], reject });
      // Only a pending call keeps the process alive; a missing close() does not.
      worker.ref();
    });
  }

  /** Deferred, so that calls made in the same tick are sent together. */
  function post(): void {
    worker.postMessage(waiting);
    waiting = [];
  }

  async function end(): Promise<void> {
    try {
      if (died === undefined) await call({ kind: 'close' });
    } finally {
      worker.ref();
      await ended;
    }
  }

  function settle(number: number): void {
    pending.delete(number);
    if (pending.size === 0) worker.unref();
  }

  /** Requests the next part after a pass of the event loop, so that other work can run. */
  function takePart(call: Pending, rows: SqlValue[][]): void {
    for (const row of rows) call.rows.push(row);
    setImmediate(() => {
      Atomics.add(credit, 0, 1);
      Atomics.notify(credit, 0);
    });
  }

  function die(cause: Error | undefined): void {
    died ??= new Error('the thread of the metadata database has ended; restart to open it again', { cause });
    for (const call of pending.values()) call.reject(died);
    pending.clear();
  }
}

/** The thread's error without its class. */
export function errorOf({ message, code, errcode }: Failure): Error {
  return Object.assign(
    new Error(message),
    code === undefined ? {} : { code },
    errcode === undefined ? {} : { errcode },
  );
}

function withRest(rows: SqlValue[][], rest: SqlValue[][]): SqlValue[][] {
  for (const row of rest) rows.push(row);
  return rows;
}

import { dirname, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { quoted, type SqlValue, type Statement } from '../../shared/sql/dialect.js';
import { type Connection, connect, failureOf, runWrites } from './connection.js';
import {
  type Envelope,
  LETTERS_IN_PART,
  type Message,
  type Replies,
  type Request,
  ROWS_IN_PART,
  type ThreadSettings,
  unpackWrites,
} from './protocol.js';
import { sqliteDialect } from './schema.js';
import { searchText } from './search.js';

type Query = Pick<Extract<Request, { kind: 'query' }>, 'text' | 'parameters'>;

/**
 * The worker side of a thread: one connection, one request at a time. SQLite's calls block, which is why they run here.
 */
if (parentPort === null) throw new Error('sqlite/worker.js must run as a worker thread');
const port = parentPort;
const settings = workerData as ThreadSettings;
const credit = new Int32Array(settings.credit);
let connection: Connection | undefined;
let memo: Memo | undefined;
/** The next group of writes, while it is received in parts. */
let held: Statement[][] = [];

/** Answers that are held back to be sent together with those of the same batch. */
let answers: Message[] = [];
/** How long an answer waits for the next one. */
const PATIENCE_MILLISECONDS = 1;

port.on('message', (envelopes: readonly Envelope[]) => {
  let sent = performance.now();
  for (const { number, request } of envelopes) {
    // Computed first, because earlier answers may be sent meanwhile, with parts of this one.
    const made = outcomeOf(number, request);
    answers.push(made);
    if (performance.now() - sent < PATIENCE_MILLISECONDS) continue;
    sendAnswers();
    sent = performance.now();
  }
  sendAnswers();
  // Closing the port ends the thread.
  if (envelopes.some(({ request }) => request.kind === 'close')) port.close();
});

function outcomeOf(number: number, request: Request): Message {
  try {
    return { kind: 'done', number, value: answer(number, request) };
  } catch (error) {
    return { kind: 'failed', number, failure: failureOf(error) };
  }
}

function answer(number: number, request: Request): Replies[keyof Replies] {
  switch (request.kind) {
    case 'open':
      connection = connect(settings, request.tables);
      // `data_version` does not change for a connection's own writes, so only a read-only one can cache.
      if (settings.readOnly) memo = createMemo(connection);
      return connection.opened;
    case 'hold':
      return hold(request);
    case 'write':
      return runWrites(connected(), request.packed === undefined ? takeHeld() : unpackWrites(request.packed));
    case 'query':
      return inParts(
        number,
        (request.atMost ?? Number.POSITIVE_INFINITY) <= ROWS_IN_PART ? allOf(request) : asked(request),
      );
    case 'search':
      return inParts(number, found(request));
    case 'scrub':
      return scrub(connected(), settings.path, request.textIndexes);
    case 'check':
      return check(connected(), settings.path);
    case 'close':
      return disconnect();
    default:
      return request satisfies never;
  }
}

function hold({ position, packed }: Extract<Request, { kind: 'hold' }>): undefined {
  const statements = unpackWrites(packed).flat();
  const known = held[position];
  if (known === undefined) held[position] = statements;
  else for (const statement of statements) known.push(statement);
}

function takeHeld(): Statement[][] {
  const writes = held;
  held = [];
  return writes;
}

/** Sends the rows in full parts; the remaining rows are the answer. Dozens of messages may have a megabyte each. */
function inParts(number: number, all: Iterable<SqlValue[]>): SqlValue[][] {
  let rows: SqlValue[][] = [];
  let length = 0;
  for (const row of all) {
    if (rows.length === ROWS_IN_PART || length >= LETTERS_IN_PART) {
      sendPart({ kind: 'part', number, rows });
      rows = [];
      length = 0;
    }
    rows.push(row);
    for (const value of row) if (typeof value === 'string') length += value.length;
  }
  return rows;
}

function found({ table: name, query }: Extract<Request, { kind: 'search' }>): SqlValue[][] {
  const table = settings.tables.find((each) => each.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return searchText(recalled, { dialect: sqliteDialect, table }, query).map(({ id, score }) => [id, score]);
}

function recalled(request: Query): SqlValue[][] {
  if (memo === undefined) return allOf(request);
  const key = JSON.stringify([request.text, request.parameters]);
  const known = memo.recall(key);
  if (known !== undefined) return known;
  const rows = allOf(request);
  memo.keep(key, rows);
  return rows;
}

/** Reading all rows in one call takes half the time of reading them one by one, and is for results of bounded size. */
function allOf({ text, parameters }: Query): SqlValue[][] {
  const rows: SqlValue[][] = connected()
    .prepare(text)
    .all(...parameters);
  return rows;
}

function asked({ text, parameters }: Query): Iterable<SqlValue[]> {
  return connected()
    .prepare(text)
    .iterate(...parameters);
}

/**
 * Waits until the store has consumed earlier parts, so that a long result does not monopolise its event loop
 * (back-pressure).
 */
function sendPart(part: Message): void {
  while (Atomics.load(credit, 0) === 0) Atomics.wait(credit, 0, 0);
  Atomics.sub(credit, 0, 1);
  answers.push(part);
  sendAnswers();
}

function sendAnswers(): void {
  if (answers.length > 0) port.postMessage(answers);
  answers = [];
}

function disconnect(): undefined {
  const open = connection;
  connection = undefined;
  if (open === undefined || !open.database.isOpen) return;
  // A passive checkpoint does what it can without waiting for other processes; the last one to close does the rest.
  if (!settings.readOnly) open.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  open.database.close();
}

function connected(): Connection {
  if (connection === undefined) throw new Error('the metadata database is not open');
  return connection;
}

/**
 * Checks that the files are the ones that were opened and still a valid database. A long-open connection answers from
 * cached pages, so a new connection is used.
 */
function check({ requireInPlace }: Connection, path: string): undefined {
  requireInPlace();
  if (path === ':memory:') return;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    database.close();
  }
}

/**
 * Removes deleted data from the files: optimising the text index drops the words of removed rows, VACUUM rewrites the
 * file without free pages, and the log is truncated because it still contains old pages.
 */
function scrub({ database }: Connection, path: string, textIndexes: readonly string[]): undefined {
  for (const name of textIndexes) database.exec(`INSERT INTO ${quoted(name)}(${quoted(name)}) VALUES ('optimize')`);
  writeAnew(database, dirname(resolve(path)));
  const [busy]: unknown[][] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)', { returnArrays: true }).all();
  if (busy?.[0] !== 0) throw new Error('another process was reading, so the log could not be emptied');
}

/**
 * VACUUM builds the new file next to the old one, because a database larger than the cache might not fit in memory. The
 * temporary file is unlinked as soon as it is open, so a crash leaves nothing behind. The folder is set for the whole
 * process, which is safe because nothing else of ours creates such a file.
 */
function writeAnew(database: Connection['database'], folder: string): void {
  database.exec(`PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'`);
  try {
    database.exec('PRAGMA secure_delete = ON; VACUUM');
  } finally {
    database.exec('PRAGMA temp_store = MEMORY');
  }
}

const ANSWERS_KEPT = 64;
const MOST_ROWS = 2_000;

/** A cache of a read-only connection's results, valid until the next write. */
interface Memo {
  recall(key: string): SqlValue[][] | undefined;
  keep(key: string, rows: SqlValue[][]): void;
}

/**
 * Caches results while a person types: the words before the last one stay the same and need no rescoring with each
 * letter. SQLite's data version reveals every write by another connection or process. It is read before the answer, so
 * a cached answer can only be newer than its version, and is then dropped too early.
 */
function createMemo(connection: Connection): Memo {
  const answers = new Map<string, SqlValue[][]>();
  let version: unknown;

  function forgetOnWrite(): void {
    const [now]: SqlValue[] = connection.prepare('PRAGMA data_version').get();
    if (now === version) return;
    version = now;
    answers.clear();
  }

  return {
    recall(key) {
      forgetOnWrite();
      return answers.get(key);
    },

    keep(key, rows) {
      if (rows.length > MOST_ROWS) return;
      const [oldest] = answers.keys();
      if (answers.size >= ANSWERS_KEPT && oldest !== undefined) answers.delete(oldest);
      answers.set(key, rows);
    },
  };
}

import { dirname, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { quoted } from '../../shared/sql/dialect.js';
import type { SqlValue } from '../../shared/sql/values.js';
import { type Connection, connect, failureOf, runWrites } from './connection.js';
import { sqliteDialect } from './dialect.js';
import {
  type Envelope,
  type Message,
  type Replies,
  type Request,
  ROWS_IN_PART,
  type ThreadSettings,
} from './protocol.js';
import { searchText } from './search.js';

type Query = Pick<Extract<Request, { kind: 'query' }>, 'text' | 'parameters'>;

/**
 * The inside of a thread: one connection, one request after another. SQLite's calls block, which is why they happen here.
 */
if (parentPort === null) throw new Error('sqlite/worker.js must run as a worker thread');
const port = parentPort;
const settings = workerData as ThreadSettings;
const credit = new Int32Array(settings.credit);
let connection: Connection | undefined;
let memo: Memo | undefined;

/** Answers that wait for those to the requests that came with theirs. */
let answers: Message[] = [];
/** An answer waits no longer than this for the next one. */
const PATIENCE_MILLISECONDS = 1;

port.on('message', (envelopes: readonly Envelope[]) => {
  let sent = performance.now();
  for (const { number, request } of envelopes) {
    // Made first: on the way the answers so far may be sent, with parts of this one.
    const made = outcomeOf(number, request);
    answers.push(made);
    if (performance.now() - sent < PATIENCE_MILLISECONDS) continue;
    sendAnswers();
    sent = performance.now();
  }
  sendAnswers();
  // With its port closed the thread has nothing left to wait for and ends.
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
      // A connection is not told of its own writes.
      if (settings.readOnly) memo = createMemo(connection);
      return connection.opened;
    case 'write':
      return runWrites(connected(), request.writes);
    case 'query':
      return inParts(number, asked(request));
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

/** Sends all full parts but the last rows, which are the answer. */
function inParts(number: number, all: Iterable<SqlValue[]>): SqlValue[][] {
  let rows: SqlValue[][] = [];
  for (const row of all) {
    if (rows.length === ROWS_IN_PART) {
      sendPart({ kind: 'part', number, rows });
      rows = [];
    }
    rows.push(row);
  }
  return rows;
}

function found({ table: name, query }: Extract<Request, { kind: 'search' }>): SqlValue[][] {
  const table = settings.tables.find((each) => each.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return searchText(recalled, { dialect: sqliteDialect, table }, query).map(({ id, score }) => [id, score]);
}

function recalled(request: Query): SqlValue[][] {
  if (memo === undefined) return [...asked(request)];
  const key = JSON.stringify([request.text, request.parameters]);
  const known = memo.recall(key);
  if (known !== undefined) return known;
  const rows = [...asked(request)];
  memo.keep(key, rows);
  return rows;
}

function asked({ text, parameters }: Query): Iterable<SqlValue[]> {
  return connected()
    .prepare(text)
    .iterate(...parameters);
}

/** Waits for the store to take earlier parts, so that a long result never fills its event loop without a pause. */
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
  // Passive: takes what it can without waiting for other processes; the last to close takes the rest.
  if (!settings.readOnly) open.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  open.database.close();
}

function connected(): Connection {
  if (connection === undefined) throw new Error('the metadata database is not open');
  return connection;
}

/**
 * Whether the files are those that were opened and still a database. A connection that has been open for a while answers
 * from the pages it remembers, so the look is that of a new one.
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
 * Takes what was removed out of the files: the text index drops the words of removed rows when its segments are joined,
 * VACUUM rewrites the file without free pages, and the log is truncated, because it still holds the old pages.
 */
function scrub({ database }: Connection, path: string, textIndexes: readonly string[]): undefined {
  for (const name of textIndexes) database.exec(`INSERT INTO ${quoted(name)}(${quoted(name)}) VALUES ('optimize')`);
  writeAnew(database, dirname(resolve(path)));
  const [busy]: unknown[][] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)', { returnArrays: true }).all();
  if (busy?.[0] !== 0) throw new Error('another process was reading; its log could not be emptied');
}

/**
 * The new file is first written beside the old one, of which it has only what stays: one that is larger than the cache
 * would not always fit into memory. It has no name from the moment it is open, so a crash leaves nothing behind. The
 * folder is set for the whole process and stays, as nothing else of ours makes such a file.
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
 * While a person types, the words before the last one stay, and what they find need not be scored again with each
 * letter. SQLite's own counter tells a connection of every write of another one, whichever process makes it. It is read
 * before the answer, so an answer is at most newer than its number, and then dropped too early.
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

import { parentPort, workerData } from 'node:worker_threads';
import type { SqlValue } from '../../shared/sql/values.js';
import { check } from './check.js';
import { type Connection, connect } from './connection.js';
import { createMemo, type Memo } from './memo.js';
import {
  type Envelope,
  type Message,
  type Replies,
  type Request,
  ROWS_IN_PART,
  type ThreadSettings,
} from './protocol.js';
import { scrub } from './scrub.js';
import { failureOf, runWrites } from './writes.js';

type Query = Extract<Request, { kind: 'query' }>;

/**
 * The inside of a thread: one connection, one request after another. SQLite's calls block, which is why they happen here.
 */
if (parentPort === null) throw new Error('sqlite-worker.js runs as a worker thread');
const port = parentPort;
const settings = workerData as ThreadSettings;
const credit = new Int32Array(settings.credit);
let connection: Connection | undefined;
let memo: Memo | undefined;

port.on('message', ({ number, request }: Envelope) => {
  try {
    send({ kind: 'done', number, value: answer(number, request) });
  } catch (error) {
    send({ kind: 'failed', number, failure: failureOf(error) });
  }
  // With its port closed the thread has nothing left to wait for and ends.
  if (request.kind === 'close') port.close();
});

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
      return query(number, request);
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
function query(number: number, request: Query): SqlValue[][] {
  let rows: SqlValue[][] = [];
  for (const row of request.often && memo !== undefined ? recalled(memo, request) : asked(request)) {
    if (rows.length === ROWS_IN_PART) {
      sendPart({ kind: 'part', number, rows });
      rows = [];
    }
    rows.push(row);
  }
  return rows;
}

function recalled(answers: Memo, request: Query): SqlValue[][] {
  const key = JSON.stringify([request.text, request.parameters]);
  const known = answers.recall(key);
  if (known !== undefined) return known;
  const rows = [...asked(request)];
  answers.keep(key, rows);
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
  send(part);
}

function send(message: Message): void {
  port.postMessage(message);
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

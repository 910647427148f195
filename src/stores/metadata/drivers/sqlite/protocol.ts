import type { Table, TextQuery } from '../../contract.js';
import type { Statement } from '../../shared/sql/dialect.js';
import type { SqlValue } from '../../shared/sql/values.js';

/** Messages between the store and its threads. Plain data only: structured clone drops classes. */
export interface ThreadSettings {
  path: string;
  readOnly: boolean;
  /** Files that must stay in their places as long as they are open. */
  inPlace: readonly string[];
  /** The folder for copies that are made before an upgrade. */
  copies?: string;
  /** What the database holds: a text search is told the name of its table only. */
  tables: readonly Table[];
  /** One number: how many parts of a long result may still be sent before the store has taken some. */
  credit: SharedArrayBuffer;
}

export type Request =
  /** Without tables: connect and look at nothing. */
  | { kind: 'open'; tables?: readonly Table[] }
  | { kind: 'write'; writes: Statement[][] }
  | { kind: 'query'; text: string; parameters: SqlValue[] }
  /** All that a text search asks of the database, in one message. */
  | { kind: 'search'; table: string; query: TextQuery }
  /** The names of the text indexes to tidy, then the whole file. */
  | { kind: 'scrub'; textIndexes: string[] }
  /** Check the files with a new connection. */
  | { kind: 'check' }
  | { kind: 'close' };

export interface Replies {
  open: Opened;
  /** One outcome for each write, in order. */
  write: (Failure | undefined)[];
  query: SqlValue[][];
  /** Ids and scores. */
  search: SqlValue[][];
  scrub: undefined;
  check: undefined;
  close: undefined;
}

/** `newer`, `foreign` and `uncopied` databases were left exactly as they were, and the connection is closed. */
export interface Opened {
  schemaVersion: number;
  /** `uncopied`: it needs an upgrade, and the copy before that could not be written. */
  state: 'ready' | 'newer' | 'foreign' | 'uncopied';
  /** The copy that was made before an upgrade. */
  copy?: string;
}

export interface Failure {
  message: string;
  code?: string;
  /** SQLite's own number for it. */
  errcode?: number;
  /** Set when the write lost against another one, with the table it lost in. */
  conflict?: string;
}

/** Requests that were made together travel together, and so do their answers: each message wakes a thread. */
export interface Envelope {
  number: number;
  request: Request;
}

export type Message =
  /** Rows of a query that has more to come. */
  | { kind: 'part'; number: number; rows: SqlValue[][] }
  | { kind: 'done'; number: number; value: Replies[keyof Replies] }
  | { kind: 'failed'; number: number; failure: Failure };

/** Parts in flight: enough to keep both sides busy, few enough that the event loop can run in between. */
export const PARTS_UNDER_WAY = 2;
export const ROWS_IN_PART = 500;

import type { Table, TextQuery } from '../../contract.js';
import type { SqlValue, Statement } from '../../shared/sql/dialect.js';

/** Messages between the store and its worker threads. Plain data only: structured clone drops classes. */
export interface ThreadSettings {
  path: string;
  readOnly: boolean;
  /** Files that must stay in place while they are open. */
  inPlace: readonly string[];
  /** The folder for copies made before an upgrade. */
  copies?: string;
  /** The tables of the database: a text search sends only a table's name. */
  tables: readonly Table[];
  /**
   * One number: how many more parts of a long result may be sent before the store has consumed some (back-pressure).
   */
  credit: SharedArrayBuffer;
}

export type Request =
  /** Without tables: connect and inspect nothing. */
  | { kind: 'open'; tables?: readonly Table[] }
  /** Statements to add to the write at this position of the next group, which is too large for one message. */
  | { kind: 'hold'; position: number; packed: PackedWrites }
  /** Without writes: those that are held. */
  | { kind: 'write'; packed?: PackedWrites }
  /** `atMost`: it selects no more rows than this; absent: any number. */
  | { kind: 'query'; text: string; parameters: SqlValue[]; atMost?: number }
  /** A complete text search, in one message. */
  | { kind: 'search'; table: string; query: TextQuery }
  /** The text indexes to optimise before the whole file is rewritten. */
  | { kind: 'scrub'; textIndexes: string[] }
  /** Check the files with a new connection. */
  | { kind: 'check' }
  | { kind: 'close' };

/**
 * Writes with each text once. Most statements share a few long texts, and copying those with every statement took more
 * time than copying the values.
 */
export interface PackedWrites {
  shapes: Pick<Statement, 'table' | 'text'>[];
  writes: PackedStatement[][];
}

interface PackedStatement extends Pick<Statement, 'parameters' | 'mustChange'> {
  /** Its place in `shapes`. */
  shape: number;
}

export function packWrites(writes: readonly (readonly Statement[])[]): PackedWrites {
  const places = new Map<string, number>();
  const shapes: PackedWrites['shapes'] = [];
  const placeOf = ({ table, text }: Statement): number => {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, shapes.length);
    return shapes.push({ table, text }) - 1;
  };
  const packed = writes.map((statements) =>
    statements.map((statement): PackedStatement => {
      const { parameters, mustChange } = statement;
      return { shape: placeOf(statement), parameters, ...(mustChange === undefined ? {} : { mustChange }) };
    }),
  );
  return { shapes, writes: packed };
}

export function unpackWrites({ shapes, writes }: PackedWrites): Statement[][] {
  return writes.map((statements) =>
    statements.map(({ shape, ...rest }) => {
      const found = shapes[shape];
      if (found === undefined) throw new Error('a statement came without its text');
      return { ...found, ...rest };
    }),
  );
}

export interface Replies {
  open: Opened;
  hold: undefined;
  /** One outcome per write, in order. */
  write: (Failure | undefined)[];
  query: SqlValue[][];
  /** Ids and scores. */
  search: SqlValue[][];
  scrub: undefined;
  check: undefined;
  close: undefined;
}

/** `newer`, `foreign` and `uncopied` databases were not changed, and the connection is closed. */
export interface Opened {
  schemaVersion: number;
  /** `uncopied`: it needs an upgrade, but the copy before it could not be written. */
  state: 'ready' | 'newer' | 'foreign' | 'uncopied';
  /** The copy made before an upgrade. */
  copy?: string;
}

export interface Failure {
  message: string;
  code?: string;
  /** SQLite's error number. */
  errcode?: number;
  /** Set when another write won, with the table of the conflict. */
  conflict?: string;
}

/** Requests made together are sent together, and so are their answers, because each message wakes a thread. */
export interface Envelope {
  number: number;
  request: Request;
}

export type Message =
  /** A part of a query's rows; more follow. */
  | { kind: 'part'; number: number; rows: SqlValue[][] }
  | { kind: 'done'; number: number; value: Replies[keyof Replies] }
  | { kind: 'failed'; number: number; failure: Failure };

/** Parts in flight: enough to keep both sides busy, few enough that the event loop can run in between. */
export const PARTS_UNDER_WAY = 2;
export const ROWS_IN_PART = 500;
/** Copying more than these out of a message takes the event loop milliseconds; one row may have more. */
export const LETTERS_IN_PART = 500_000;
/** Copying more than these to the thread would block the event loop. */
export const STATEMENTS_IN_MESSAGE = 1_000;

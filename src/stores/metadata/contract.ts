/**
 * What a metadata store promises. Tables are data (model/tables.ts); a store derives its schema from them and knows
 * nothing of conversations. Values are JSON values; a field that is absent is left out of the row, never null.
 */
export type Value = string | number | boolean | Value[] | { [key: string]: Value | undefined };
export type Row = { id: string } & { [field: string]: Value | undefined };

export interface Column {
  type: 'text' | 'integer' | 'real' | 'boolean' | 'json';
  optional?: true;
}

export interface Table {
  name: string;
  /** `id` (text, primary key) is implied. */
  columns: Record<string, Column>;
  unique?: readonly (readonly string[])[];
  indexes?: readonly (readonly string[])[];
  /**
   * A write-only field: blank-separated search terms, indexed for `searchText` and not kept as a column. Terms are made
   * by our own analyser, so a store splits at blanks and changes nothing else. Setting it again replaces what was indexed.
   */
  terms?: string;
}

export type Change =
  /** A new row; an existing id or a broken unique key is a conflict. */
  | { kind: 'insert'; table: string; row: Row }
  /** A new row, or the whole replacement of the row with that id. */
  | { kind: 'put'; table: string; row: Row }
  /** Sets fields of existing rows (undefined removes one). `when`: every row must hold these values, else conflict. */
  | {
      kind: 'patch';
      table: string;
      ids: string[];
      set: Record<string, Value | undefined>;
      when?: Record<string, Value>;
    }
  /** Unknown ids are not an error. */
  | { kind: 'remove'; table: string; ids: string[] };

export type Condition =
  | { field: string; is: 'eq' | 'gte' | 'lte'; value: string | number | boolean }
  | { field: string; is: 'in'; value: readonly (string | number)[] }
  | { field: string; is: 'absent' }
  /** A json array column holds this string. */
  | { field: string; is: 'has'; value: string }
  /** All conditions of at least one of these lists; an empty list holds always, no list at all never. */
  | { is: 'either'; of: readonly (readonly Condition[])[] };

export interface Query {
  where?: Condition[];
  /** Default: by id, ascending. Ties are broken by id in the same direction. */
  order?: { by: string; direction: 'asc' | 'desc' };
  limit?: number;
  /** Continue after this row of the same order: its ordering value and id. */
  after?: { value: string | number; id: string };
  /** Only these fields (and id). */
  fields?: string[];
}

export interface TextQuery {
  /** Any of these terms; a row with more and rarer ones scores higher. */
  terms: string[];
  /**
   * Only rows that hold all terms of each run; `terms` then says what to score by. A store that keeps the order of terms
   * wants those of a run one after the other, so the caller looks at what it gets.
   */
  runs?: readonly (readonly string[])[];
  where?: Condition[];
  /**
   * How rare a term is and how long a row, counted among these rows alone; absent: among all. What others wrote then
   * changes no score. The average length may be that of a part of them.
   */
  among?: Among;
  limit: number;
}

/** The rows whose text field, which has an index of its own, holds one of these values. */
export interface Among {
  field: string;
  values: readonly string[];
}

export interface TextHit {
  id: string;
  score: number;
}

export interface MetadataStore {
  /**
   * Connect and create what is missing. Returns the schema version found (or just created), and where the data was copied
   * to before it was upgraded from an older version.
   */
  open(tables: readonly Table[]): Promise<{ schemaVersion: number; copy?: string }>;
  /** All or nothing and durable when it resolves. A broken unique key or `when` rejects with WriteConflict. */
  write(changes: readonly Change[]): Promise<void>;
  find(table: string, query?: Query): Promise<Row[]>;
  count(table: string, where?: Condition[]): Promise<number>;
  /** BM25, best first (score: higher is better, ties by id). Absent: the keyword supplement is off. */
  searchText?(table: string, query: TextQuery): Promise<TextHit[]>;
  /** Everything as it is at this moment, however long the reading takes and whatever is written meanwhile. */
  snapshot(): Promise<Snapshot>;
  /**
   * What was removed is gone from the store's files as well: free pages, logs, old segments of the text index. Absent:
   * the store keeps no files of its own that we could clean.
   */
  scrub?(): Promise<void>;
  /**
   * Looks whether what the store keeps is there and can be read; rejects when not. Absent: any read tells, because the
   * store has no memory of its own that could answer in place of it.
   */
  check?(): Promise<void>;
  /** Idempotent; waits for what was accepted. */
  close(): Promise<void>;
}

/** Must be closed: it holds a connection. */
export type Snapshot = Pick<MetadataStore, 'find' | 'count' | 'close'>;

/** Another write got there first. Operations catch it, look again and decide; it never reaches a caller. */
export class WriteConflict extends Error {
  readonly table: string;

  constructor(table: string, cause?: unknown) {
    super(`a row of ${table} was written by someone else`, cause === undefined ? undefined : { cause });
    this.name = 'WriteConflict';
    this.table = table;
  }
}

/** Where a store lives: the driver's own settings block, and a file path for those that keep a file. */
export interface MetadataPlace {
  settings: Record<string, unknown>;
  path: string;
  /** Open what exists and change nothing; `write` rejects. */
  readOnly?: boolean;
}

/** What a driver file exports. `name` is the configuration value; `create` does no work before `open`. */
export interface MetadataDriver {
  name: string;
  /** Other machines may work on the same data at the same time, and no file of this one holds it. */
  remote?: true;
  needs?: { package: string; range: string };
  create(place: MetadataPlace): MetadataStore;
}

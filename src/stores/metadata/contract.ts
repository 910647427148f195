/**
 * The contract of a metadata store. Tables are data (model/tables.ts); a store derives its schema from them and knows
 * nothing of conversations. Values are JSON values; an absent field is left out of the row, never null.
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
   * A write-only field: blank-separated search terms, indexed for `searchText` but not stored as a column. Our own
   * analyser makes the terms, so a store only splits at blanks. Setting the field again replaces what was indexed.
   */
  terms?: string;
}

export type Change =
  /** Inserts a row; an existing id or a violated unique key is a conflict. */
  | { kind: 'insert'; table: string; row: Row }
  /** Upserts: inserts a row, or replaces the whole row with that id. */
  | { kind: 'put'; table: string; row: Row }
  /** Sets fields of existing rows (undefined removes one). `when`: every row must have these values, else conflict. */
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
  /** A json array column contains this string. */
  | { field: string; is: 'has'; value: string }
  /** True if all conditions of at least one list hold; an empty list always holds, no list at all never does. */
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
   * Only rows that contain all terms of each run; `terms` then only affects the score. A store that keeps the order of
   * terms may require those of a run to be adjacent, so the caller checks the results.
   */
  runs?: readonly (readonly string[])[];
  where?: Condition[];
  /**
   * Limits the statistics (term frequency, row length) to these rows; absent: all rows. Other projects' rows then do
   * not affect scores. The average length may be sampled.
   */
  among?: Among;
  limit: number;
}

/** The rows whose text field, which has its own index, has one of these values. */
export interface Among {
  field: string;
  values: readonly string[];
}

export interface TextMatch {
  id: string;
  score: number;
}

export interface OpenedMetadata {
  /** The one found or created. */
  schemaVersion: number;
  /** The path of the copy made before an upgrade. */
  copy?: string;
  /** The tables of an older version, as far as they are there: nothing was changed, and only these can be read. */
  older?: readonly Table[];
}

export interface MetadataStore {
  /** Connects and creates what is missing. */
  open(tables: readonly Table[]): Promise<OpenedMetadata>;
  /** Atomic, and durable when it resolves. A violated unique key or `when` rejects with WriteConflict. */
  write(changes: readonly Change[]): Promise<void>;
  find(table: string, query?: Query): Promise<Row[]>;
  count(table: string, where?: Condition[]): Promise<number>;
  /** BM25, best first (higher score is better, ties by id). Absent: keyword search is unavailable. */
  searchText?(table: string, query: TextQuery): Promise<TextMatch[]>;
  /** A consistent view of this moment, regardless of later writes. */
  snapshot(): Promise<Snapshot>;
  /**
   * Removes deleted data from the store's files as well: free pages, logs, old segments of the text index. Absent: the
   * store has no files that we could clean.
   */
  scrub?(): Promise<void>;
  /**
   * Rejects unless the stored data is present and readable. Absent: every read shows it, because the store has no cache
   * that could answer instead.
   */
  check?(): Promise<void>;
  /** Idempotent; waits for accepted work. */
  close(): Promise<void>;
}

/** Must be closed: it holds a connection. */
export type Snapshot = Pick<MetadataStore, 'find' | 'count' | 'close'>;

/** Another write came first. Operations catch it, read again and decide; it never reaches a caller. */
export class WriteConflict extends Error {
  readonly table: string;

  constructor(table: string, cause?: unknown) {
    super(`another writer changed a row of ${table}`, cause === undefined ? undefined : { cause });
    this.name = 'WriteConflict';
    this.table = table;
  }
}

/** Where a store keeps its data: the driver's own settings, and a file path for drivers that use a file. */
export interface MetadataPlace<Settings> {
  settings: Settings;
  path: string;
  /** Opens what exists and changes nothing; `write` rejects. */
  readOnly?: boolean;
  /**
   * False: data of an older version is left unchanged, so that it can be copied before another `open` upgrades it.
   * For stores on a server; a store in a file makes the copy itself.
   */
  upgrade?: boolean;
}

/**
 * What a driver file exports. `name` is the configuration value; `create` does nothing until `open`. `Settings` is what
 * it takes of its configuration block; `app/open-metadata.ts` pairs the two. Without it, any driver, which can be read but not
 * created.
 */
export interface MetadataDriver<Settings = never> {
  name: string;
  /** The data is on a server, which other machines may use at the same time. */
  remote?: true;
  needs?: { package: string; range: string };
  create: (place: MetadataPlace<Settings>) => MetadataStore;
}

/**
 * The contract of a vector store. It holds ids, vectors and partition keys: text, titles and tags are never sent to it.
 */
export const distances = ['cosine', 'l2', 'inner_product'] as const;

export type Distance = (typeof distances)[number];

export interface IndexShape {
  dimension: number;
  distance: Distance;
}

export interface Point {
  /** A UUID: some services accept nothing else. */
  id: string;
  vector: Float32Array;
  scope: string;
  conversationId: string;
}

export interface Where {
  /** Never empty: every search is restricted to partitions inside the store. */
  scopes: readonly string[];
  /** At most 1,000. */
  conversationIds?: readonly string[];
  /** Only these points, at most 1,000. */
  ids?: readonly string[];
}

export interface NearestPoint {
  id: string;
  /** Lower is better, whatever the store: cosine `1 - cos`, l2 Euclidean, inner_product `1 - dot`. */
  distance: number;
}

export interface VectorStore {
  /**
   * Creates or verifies the collection; another dimension or distance rejects with ShapeMismatch, unreadable files with
   * DamagedIndex. Nothing is dropped.
   */
  open(shape: IndexShape): Promise<void>;
  /**
   * Replaces points with the same id; readable and durable when it resolves. With `fresh` the caller asserts that none
   * of these ids exists, so a store may skip looking for them; search must still tolerate duplicate rows.
   */
  upsert(points: readonly Point[], options?: { fresh?: boolean }): Promise<void>;
  /** Nearest first, ties by id, each id once. */
  search(vector: Float32Array, options: { limit: number; where: Where }): Promise<NearestPoint[]>;
  /** Unknown ids are not an error. */
  remove(ids: readonly string[]): Promise<void>;
  /** The number of rows; also used as readiness probe and to detect an index that already holds vectors. */
  count(): Promise<number>;
  /** Drops every row and takes this shape: the start of a full reindex. Also allowed after `open` rejected. */
  reset(shape: IndexShape): Promise<void>;
  /**
   * Compaction, clean-up of old versions, index building. Called occasionally in the background; safe during reads and
   * writes.
   */
  maintain?(): Promise<void>;
  /**
   * The id of every row, in pages, for repairs; a duplicate row's id is repeated. Absent: the store cannot list its
   * rows.
   */
  ids?(): AsyncIterable<readonly string[]>;
  /** Prepares caches before many searches. Callers do not wait for it. */
  warm?(): Promise<void>;
  /** Removes deleted points from the store's files as well. Absent: the store does so itself. */
  scrub?(): Promise<void>;
  /** What the store detected when it was opened, for diagnostics: no secrets and no user data. */
  details?(): Record<string, string>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** The existing collection cannot hold these vectors. */
export class ShapeMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ShapeMismatch';
  }
}

/** The stored index is damaged and can only be rebuilt: `VectorDriver.discard` removes it. */
export class DamagedIndex extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DamagedIndex';
  }
}

export interface DriverPlace<Settings> {
  /** The driver's own configuration block, already validated. */
  settings: Settings;
  /** Folder of an embedded store; services ignore it. */
  path: string;
}

/**
 * One vector back end as data: its name, supported distances, requirements and factory. `Settings` is what it takes of
 * its configuration block; `app/open-vectors.ts` pairs the two. Without it, any driver, which can be read but not created.
 */
export interface VectorDriver<Settings = never> {
  /** The configuration value that selects it. */
  name: string;
  /** Rows survive the process. */
  persistent: boolean;
  distances: readonly Distance[];
  /** It uses a local folder (`DriverPlace.path`), not an address. */
  embedded?: true;
  /** The npm package loaded inside `open`. */
  needs?: { package: string; range: string };
  /** A short note on its limits, for the manual. */
  limits?: string;
  /** Creates a store without side effects: connecting and creating happen in `open`. */
  create: (place: DriverPlace<Settings>) => VectorStore;
  /**
   * Removes the index in this folder, which `open` reported as damaged. No data exists only in a vector store, so the
   * index is simply rebuilt.
   */
  discard?: (path: string) => Promise<void>;
}

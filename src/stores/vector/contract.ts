/** What a vector store promises. It holds ids, vectors and scopes: no text, title or tag ever leaves for it. */
export type Distance = 'cosine' | 'l2' | 'inner_product';

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
  /** Never empty: every search is scoped inside the store. */
  scopes: readonly string[];
  /** At most 1,000. */
  conversationIds?: readonly string[];
  /** The distance of named points, at most 1,000. */
  ids?: readonly string[];
}

export interface Hit {
  id: string;
  /** Lower is better, whatever the store: cosine `1 - cos`, l2 Euclidean, inner_product `1 - dot`. */
  distance: number;
}

export interface VectorStore {
  /**
   * Create or verify the collection; another dimension or distance rejects with ShapeMismatch, and files that cannot be
   * read with DamagedIndex. Nothing is dropped.
   */
  open(shape: IndexShape): Promise<void>;
  /**
   * Same id replaces; readable and durable when it resolves. `fresh` is the caller's word that none of these ids was
   * written before, so a store may skip looking for them; search must tolerate a row written twice all the same.
   */
  upsert(points: readonly Point[], options?: { fresh?: boolean }): Promise<void>;
  /** Nearest first, ties by id, each id once. */
  search(vector: Float32Array, options: { limit: number; where: Where }): Promise<Hit[]>;
  /** Unknown ids are not an error. */
  remove(ids: readonly string[]): Promise<void>;
  /** Rows; also the readiness probe and the fingerprint's "already holds vectors". */
  count(): Promise<number>;
  /** Drop every row and take this shape: the start of a reindex into an empty destination. Also after `open` refused. */
  reset(shape: IndexShape): Promise<void>;
  /** Compaction, clean-up of old versions, index building. Called in the background now and then; safe beside reads and writes. */
  maintain?(): Promise<void>;
  /**
   * The id of every row, in pages; an id that was written twice comes twice. For repairs, which look at everything.
   * Absent: the store gives rows only to those who search.
   */
  ids?(): AsyncIterable<readonly string[]>;
  /** Prepares caches before many searches. Callers do not wait for it. */
  warm?(): Promise<void>;
  /** What was removed is gone from the store's files as well. Absent: the store sees to that itself. */
  scrub?(): Promise<void>;
  /** What the store found out when it was opened, for diagnostics: no secrets and no user data. */
  details?(): Record<string, string>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** The collection that exists cannot hold these vectors. */
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

export interface DriverPlace {
  /** The driver's own configuration block, already validated. */
  settings: Record<string, unknown>;
  /** Folder of an embedded store; services ignore it. */
  path: string;
}

/** One vector back end as data: what it is called, what it can measure, what it needs, how it is made. */
export interface VectorDriver {
  /** The configuration value that selects it. */
  name: string;
  /** Rows survive the process. */
  persistent: boolean;
  distances: readonly Distance[];
  /** It lives in a folder of this machine (`DriverPlace.path`), not behind an address. */
  embedded?: true;
  /** The npm package loaded inside `open`. */
  needs?: { package: string; range: string };
  /** What its user should know beyond that, for the manual: in a few words. */
  limits?: string;
  /** Makes a store without touching anything: connecting and creating happen in `open`. */
  create(place: DriverPlace): VectorStore;
  /** Removes what `open` called damaged. Nothing lives in a vector store alone, so it is only made again. */
  discard?(place: DriverPlace): Promise<void>;
}

import type { Observer } from '../observability/observer.js';
import type { Hit, IndexShape, Point, VectorStore, Where } from '../stores/vector/contract.js';

export type VectorIndex = ReturnType<typeof createVectorIndex>;

interface VectorIndexParts {
  store: VectorStore;
  /** Holds what is not in the store yet. Absent: everything is written at once (a store in memory, a dry run). */
  tail?: VectorStore;
  /** These points are in the store now. */
  onWritten: (ids: readonly string[]) => Promise<void>;
  observer: Observer;
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Queued {
  point: Point;
  fresh: boolean;
}

/** Writes closer together than this travel as one: a file-based store pays per write, not per point. */
const pauseBetweenWrites = 50;
const longestPause = 60_000;
const pointsPerWrite = 5_000;
/** Beyond this, adding waits for the store and fails with it: memory is bounded. */
const mostQueued = 20_000;

/**
 * The vectors as operations see them: the store, and in front of it a short tail of points that are searchable at once
 * and written behind the inserts, many at a time. The tail may be lost: a chunk stays `pending` in the metadata store
 * until its point is in the store, so the next start makes it again.
 */
export function createVectorIndex({ store, tail, onWritten, observer, wait }: VectorIndexParts) {
  const queue = new Map<string, Queued>();
  const stopping = new AbortController();
  let writing: Promise<void> | undefined;
  /** The write under way. `writing` is the whole row of them, which ends only when nothing is left. */
  let write: Promise<void> = Promise.resolve();

  async function writeThrough(points: readonly Point[], options: { fresh: boolean }): Promise<void> {
    await store.upsert(points, options);
    await onWritten(points.map(({ id }) => id));
  }

  async function writeQueued(entries: readonly Queued[], trusted: boolean): Promise<void> {
    const fresh = entries.filter((entry) => trusted && entry.fresh).map(({ point }) => point);
    const other = entries.filter((entry) => !(trusted && entry.fresh)).map(({ point }) => point);
    if (fresh.length > 0) await store.upsert(fresh, { fresh: true });
    if (other.length > 0) await store.upsert(other, { fresh: false });
    await onWritten(entries.map(({ point }) => point.id));
    const written = entries.filter((entry) => queue.get(entry.point.id) === entry).map(({ point }) => point.id);
    for (const id of written) queue.delete(id);
    await tail?.remove(written);
  }

  async function drain(): Promise<void> {
    // After a failure some points may have been written: they are then replaced, not added again.
    let trusted = true;
    let pause = pauseBetweenWrites;
    while (queue.size > 0) {
      try {
        write = writeQueued([...queue.values()].slice(0, pointsPerWrite), trusted);
        await write;
        trusted = true;
        pause = pauseBetweenWrites;
      } catch (error) {
        observer.log('warn', 'vector_write_delayed', { points: queue.size, retry_in_ms: pause }, error);
        trusted = false;
        pause = Math.min(pause * 2, longestPause);
        // At the end there is no later: what is left stays pending and is made again by the next start.
        if (stopping.signal.aborted) return;
      }
      await wait(pause, stopping.signal);
    }
  }

  function start(): void {
    if (writing !== undefined) return;
    writing = drain().finally(() => {
      writing = undefined;
      if (queue.size > 0 && !stopping.signal.aborted) start();
    });
  }

  return {
    writeThrough,

    /** Searchable when it resolves, in the store soon after. */
    async add(points: readonly Point[], options: { fresh: boolean }): Promise<void> {
      if (tail === undefined || queue.size >= mostQueued) return writeThrough(points, options);
      for (const point of points) queue.set(point.id, { point, fresh: options.fresh && !queue.has(point.id) });
      await tail.upsert(points);
      start();
    },

    /** Added, but not in the store yet. */
    holds: (id: string): boolean => queue.has(id),

    async search(vector: Float32Array, options: { limit: number; where: Where }): Promise<Hit[]> {
      // The tail first: a point leaves it only when it is in the store, so looking in this order misses none.
      const recent = tail === undefined || queue.size === 0 ? [] : await tail.search(vector, options);
      const stored = await store.search(vector, options);
      return recent.length === 0 ? stored : nearestOf([...recent, ...stored], options.limit);
    },

    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      for (const id of ids) queue.delete(id);
      await tail?.remove(ids);
      // It may be writing one of them. Whether it fails is told where it is awaited.
      await write.catch(() => undefined);
      await store.remove(ids);
    },

    async reset(shape: IndexShape): Promise<void> {
      queue.clear();
      await write.catch(() => undefined);
      await tail?.reset(shape);
      await store.reset(shape);
    },

    /** Resolves when everything added so far is in the store. */
    async settled(): Promise<void> {
      while (writing !== undefined) await writing;
    },

    async stop(): Promise<void> {
      stopping.abort();
      await writing;
    },
  };
}

function nearestOf(hits: readonly Hit[], limit: number): Hit[] {
  const once = new Map<string, Hit>();
  for (const hit of hits) if (!once.has(hit.id)) once.set(hit.id, hit);
  return [...once.values()]
    .sort((one, other) => one.distance - other.distance || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
}

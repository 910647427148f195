import { awake, runYielding } from '../concurrency/yielding.js';
import { chunkOfPoint, pointId, pointIds } from '../ingestion/hash.js';
import { type Steps, sorting } from '../model/steps.js';
import type { Observer } from '../observability/observer.js';
import type { IndexShape, NearestPoint, Point, VectorStore, Where } from '../stores/vector/contract.js';

export type VectorIndex = ReturnType<typeof createVectorIndex>;

/** A chunk to index, with at least one vector: one for each of its windows. */
export interface EmbeddedChunk {
  id: string;
  scope: string;
  conversationId: string;
  vectors: readonly Float32Array[];
}

/** The data needed to derive the point ids of a chunk. */
export interface ChunkPoints {
  id: string;
  windows?: number;
}

interface VectorIndexParts {
  store: VectorStore;
  /** Holds points not yet in the store. Absent: everything is written at once (a memory store, a dry run). */
  tail?: VectorStore;
  /**
   * Called when all points of these chunks are in the store. Returns the ids of those that are no longer wanted there.
   */
  onWritten: (chunks: readonly Pick<EmbeddedChunk, 'id' | 'scope'>[]) => Promise<readonly string[]>;
  observer: Observer;
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Starts background work outside the context of the current request. */
  apart?: <Result>(work: () => Result) => Result;
}

interface Queued {
  chunk: EmbeddedChunk;
  fresh: boolean;
}

/** Writes closer together than this are combined: a file-based store pays per write, not per point. */
const pauseBetweenWrites = 50;
/** Short, because the circuit breaker rejects calls to a store that is down without contacting it. */
const longestPause = 10_000;
const chunksPerWrite = 5_000;
/** In points. Beyond this, adding waits for the store and fails with it, so that memory is bounded. */
const mostQueued = 20_000;
/** The maximum number of ids that stores accept in a filter. */
const mostIds = 1_000;

/**
 * The vector index as operations see it: chunks, each at the distance of its nearest window. It combines the store with
 * a short write-behind tail of points that are searchable at once and written in batches. The tail may be lost: a chunk
 * stays `pending` in the metadata store until its points are stored, so the next start recreates them.
 */
export function createVectorIndex(parts: VectorIndexParts) {
  const { store, tail, onWritten, observer, wait, apart = (work) => work() } = parts;
  const queue = new Map<string, Queued>();
  const stopping = new AbortController();
  let writing: Promise<void> | undefined;
  /** The current write. `writing` covers the whole series, which ends only when the queue is empty. */
  let write: Promise<void> = Promise.resolve();

  /** If the process dies in between, `storage-check --repair` removes unwanted points. */
  async function noteWritten(chunks: readonly EmbeddedChunk[]): Promise<void> {
    const unwanted = new Set(await onWritten(chunks));
    const points = chunks.filter(({ id }) => unwanted.has(id)).flatMap(pointsOf);
    if (points.length > 0) await store.remove(points.map(({ id }) => id));
  }

  async function writeThrough(chunks: readonly EmbeddedChunk[], options: { fresh: boolean }): Promise<void> {
    const waiting = chunks.filter(({ id }) => queue.has(id));
    if (waiting.length > 0) {
      // Queued points are older than this. One may be in a running write, which must not overwrite a newer point.
      for (const { id } of waiting) queue.delete(id);
      await write.catch(() => undefined);
    }
    await store.upsert(chunks.flatMap(pointsOf), options);
    await noteWritten(chunks);
    if (waiting.length > 0) await tail?.remove(waiting.flatMap(pointsOf).map(({ id }) => id));
  }

  async function writeQueued(entries: readonly Queued[]): Promise<void> {
    const fresh = entries.filter((entry) => entry.fresh).flatMap(({ chunk }) => pointsOf(chunk));
    const other = entries.filter((entry) => !entry.fresh).flatMap(({ chunk }) => pointsOf(chunk));
    if (fresh.length > 0) await store.upsert(fresh, { fresh: true });
    if (other.length > 0) await store.upsert(other, { fresh: false });
    await noteWritten(entries.map(({ chunk }) => chunk));
    const written = entries.filter((entry) => queue.get(entry.chunk.id) === entry).map(({ chunk }) => chunk);
    for (const { id } of written) queue.delete(id);
    await tail?.remove(written.flatMap(pointsOf).map(({ id }) => id));
  }

  /**
   * Moves entries to the end of the queue, so that points the store refuses do not block the rest. Some may have been
   * written already; they are then replaced, not added twice.
   */
  function putBack(entries: readonly Queued[]): void {
    for (const entry of entries) {
      entry.fresh = false;
      if (queue.get(entry.chunk.id) !== entry) continue;
      queue.delete(entry.chunk.id);
      queue.set(entry.chunk.id, entry);
    }
  }

  async function drain(): Promise<void> {
    let most = chunksPerWrite;
    let pause = pauseBetweenWrites;
    while (queue.size > 0) {
      const entries = [...queue.values()].slice(0, most);
      try {
        write = writeQueued(entries);
        await write;
        most = Math.min(most * 2, chunksPerWrite);
        pause = pauseBetweenWrites;
      } catch (error) {
        observer.log('warn', 'vector_write_delayed', { chunks: queue.size, retry_in_ms: pause }, error);
        putBack(entries);
        // The batch may have been too large.
        most = Math.max(1, Math.floor(entries.length / 2));
        pause = Math.min(pause * 2, longestPause);
        // On close there is no retry: remaining chunks stay pending and are indexed at the next start.
        if (stopping.signal.aborted) return;
      }
      await wait(pause, stopping.signal);
    }
  }

  function start(): void {
    if (writing !== undefined) return;
    writing = apart(drain).finally(() => {
      writing = undefined;
      if (queue.size > 0 && !stopping.signal.aborted) start();
    });
  }

  /** In batches of ids that a store accepts. */
  async function searchPoints(vector: Float32Array, options: { limit: number; where: Where }): Promise<NearestPoint[]> {
    const { conversationIds = [], ...where } = options.where;
    if (conversationIds.length <= mostIds) return searchPointsOnce(vector, options);
    const found: NearestPoint[] = [];
    for (let from = 0; from < conversationIds.length; from += mostIds) {
      const some = { ...where, conversationIds: conversationIds.slice(from, from + mostIds) };
      found.push(...(await searchPointsOnce(vector, { limit: options.limit, where: some })));
    }
    return runYielding(nearestPoints(found, options.limit));
  }

  async function searchPointsOnce(
    vector: Float32Array,
    options: { limit: number; where: Where },
  ): Promise<NearestPoint[]> {
    // Search the tail first: a point leaves it only once it is in the store, so this order misses none.
    const recent = tail === undefined || queue.size === 0 ? [] : await tail.search(vector, options);
    const stored = await store.search(vector, options);
    return recent.length === 0 ? stored : runYielding(nearestPoints([...recent, ...stored], options.limit));
  }

  return {
    writeThrough,

    /** Searchable when it resolves, in the store soon after. */
    async add(chunks: readonly EmbeddedChunk[], options: { fresh: boolean }): Promise<void> {
      if (tail === undefined || (await tail.count()) >= mostQueued) return writeThrough(chunks, options);
      for (const chunk of chunks) queue.set(chunk.id, { chunk, fresh: options.fresh && !queue.has(chunk.id) });
      await tail.upsert(chunks.flatMap(pointsOf));
      start();
    },

    /** The number of chunks waiting to be written. */
    waiting: (): number => queue.size,

    /** Added, but not in the store yet. */
    holds: (id: string): boolean => queue.has(id),

    /** The nearest chunks, each once. */
    async search(vector: Float32Array, { limit, where }: { limit: number; where: Where }): Promise<NearestPoint[]> {
      // A few more points than chunks, because some chunks have several.
      for (let points = limit + Math.min(limit, 100); ; points *= 4) {
        const found = await searchPoints(vector, { limit: points, where });
        const chunks = await runYielding(nearestOfEach(found));
        if (chunks.length >= limit || found.length < points) return chunks.slice(0, limit);
      }
    },

    /** The distances of those of these chunks that are in the index. */
    async distancesOf(
      vector: Float32Array,
      chunks: readonly ChunkPoints[],
      scopes: readonly string[],
    ): Promise<NearestPoint[]> {
      const ids = chunks.flatMap(pointIds);
      const found: NearestPoint[] = [];
      for (let from = 0; from < ids.length; from += mostIds) {
        const some = ids.slice(from, from + mostIds);
        found.push(...(await searchPoints(vector, { limit: some.length, where: { scopes, ids: some } })));
      }
      return runYielding(nearestOfEach(await runYielding(sorting(found, byDistance))));
    },

    async remove(chunks: readonly ChunkPoints[]): Promise<void> {
      if (chunks.length === 0) return;
      for (const { id } of chunks) queue.delete(id);
      const ids = chunks.flatMap(pointIds);
      await tail?.remove(ids);
      // The current write may include one of them. Its failure is reported where it is awaited.
      await write.catch(() => undefined);
      await store.remove(ids);
    },

    /** Erases removed points from the store's files. */
    async scrub(): Promise<void> {
      await write.catch(() => undefined);
      await store.scrub?.();
    },

    async reset(shape: IndexShape): Promise<void> {
      queue.clear();
      await write.catch(() => undefined);
      await tail?.reset(shape);
      await store.reset(shape);
    },

    /** Resolves when everything added so far is in the store. */
    async settled(): Promise<void> {
      while (writing !== undefined) await awake(writing);
    },

    async stop(): Promise<void> {
      stopping.abort();
      await writing;
    },
  };
}

function pointsOf({ id, vectors, scope, conversationId }: EmbeddedChunk): Point[] {
  return vectors.map((vector, window) => ({ id: pointId(id, window), vector, scope, conversationId }));
}

/** Chunks in the order of their nearest points. In steps: a long message has thousands of points. */
function* nearestOfEach(sorted: readonly NearestPoint[]): Steps<NearestPoint[]> {
  const once = new Map<string, NearestPoint>();
  for (const [place, { id: point, distance }] of sorted.entries()) {
    const id = chunkOfPoint(point);
    if (!once.has(id)) once.set(id, { id, distance });
    if (place % pointsPerStep === pointsPerStep - 1) yield;
  }
  return [...once.values()];
}

const pointsPerStep = 2_048;

function* nearestPoints(hits: readonly NearestPoint[], limit: number): Steps<NearestPoint[]> {
  const once = new Map<string, NearestPoint>();
  for (const hit of hits) if (!once.has(hit.id)) once.set(hit.id, hit);
  yield;
  return (yield* sorting([...once.values()], byDistance)).slice(0, limit);
}

function byDistance(one: NearestPoint, other: NearestPoint): number {
  return one.distance - other.distance || (one.id < other.id ? -1 : 1);
}

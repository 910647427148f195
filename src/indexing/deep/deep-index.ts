import { createTimeSlice, type TimeSlice } from '../../concurrency/yielding.js';
import { chunkId } from '../../ingestion/hash.js';
import type { MessageVectorsHead } from '../../records/chunks.js';
import type { Records } from '../../records/open.js';
import type { ChunkRow, MessageVectorsRow } from '../../records/store.js';
import { createShelf, type Shelf, unpacked } from './shelf.js';

/** A chunk close to a question. */
export interface Near {
  id: string;
  conversationId: string;
  chunkIndex: number;
  /** -1 to 1. */
  likeness: number;
}

/**
 * An in-memory index of message vectors by scope: loaded from the store when a scope is first searched, and kept up to
 * date from then on. Vectors removed by another process may be found until `remove` is called for them; a search reads
 * the rows of its results and so does not return them.
 */
export interface DeepIndex {
  /** The fingerprint of the model that made the vectors. */
  model: string;
  /** Loads new vectors from the store. Call it before each search. */
  ready(scopes: readonly string[]): Promise<void>;
  /** The nearest chunks, best first, in a total order: a higher limit only appends. */
  nearest(
    vector: Int8Array,
    query: { scopes: readonly string[]; conversationIds?: readonly string[] | undefined; limit: number },
  ): Promise<Near[]>;
  /** The similarity of these chunks, by id; chunks without a vector are left out. */
  likenessOf(vector: Int8Array, chunks: readonly ChunkRow[]): Promise<Map<string, number>>;
  /** Adds a row that this process wrote to the store. */
  put(row: MessageVectorsRow): void;
  remove(conversationId: string): void;
}

/** Maximum vectors kept for one scope, 51 MB; beyond it, only those of the newest conversations. */
export const mostOfScope = 200_000;
/** Maximum vectors of all scopes; the least recently used scope is evicted first. */
const mostOfAll = 400_000;

const headsAtOnce = 1_000;
const rowsAtOnce = 100;
/** About 700 kB of encoded vectors. */
const vectorsAtOnce = 2_000;
/** Another process may have a slow clock or commit late. */
const overlap = 10_000;

export function createDeepIndex(records: Records, model: string, { most = mostOfScope } = {}): DeepIndex {
  /** In least-recently-used order. */
  const shelves = new Map<string, Opened>();

  interface Opened {
    shelf: Shelf;
    isLoaded: boolean;
    /** Ids forgotten while loading: rows read before must not bring them back. */
    gone: Set<string>;
    /** The latest write time read so far. */
    seen: string;
    reading: Promise<void> | undefined;
  }

  async function readyOne(scope: string): Promise<void> {
    const opened = shelves.get(scope) ?? {
      shelf: createShelf(most),
      isLoaded: false,
      gone: new Set<string>(),
      seen: '',
      reading: undefined,
    };
    shelves.delete(scope);
    shelves.set(scope, opened);
    opened.reading ??= (opened.isLoaded ? refresh(scope, opened) : load(scope, opened)).finally(() => {
      opened.reading = undefined;
      opened.gone.clear();
      // Replaced rows stay in memory: when they are most of it, the scope is loaded again.
      if ((!opened.isLoaded || opened.shelf.isWorn()) && shelves.get(scope) === opened) shelves.delete(scope);
    });
    await opened.reading;
    makeRoom();
  }

  function makeRoom(): void {
    const size = (): number => [...shelves.values()].reduce((sum, { shelf }) => sum + shelf.size(), 0);
    for (const scope of [...shelves.keys()].slice(0, -1)) if (size() > mostOfAll) shelves.delete(scope);
  }

  async function load(scope: string, opened: Opened): Promise<void> {
    const slice = createTimeSlice();
    let last: MessageVectorsHead | undefined;
    do {
      const after = last === undefined ? undefined : { value: last.at, id: last.id };
      const heads = await records.messageVectors.newest({ scope, model }, { limit: headsAtOnce, after });
      await take(opened, heads, slice);
      last = heads.length < headsAtOnce || opened.shelf.isFull() ? undefined : heads.at(-1);
    } while (last !== undefined);
    opened.isLoaded = true;
  }

  async function refresh(scope: string, opened: Opened): Promise<void> {
    const slice = createTimeSlice();
    const since = opened.seen === '' ? '' : new Date(Date.parse(opened.seen) - overlap).toISOString();
    let last: MessageVectorsHead | undefined;
    do {
      const after = last === undefined ? undefined : { value: last.written_at, id: last.id };
      const heads = await records.messageVectors.writtenSince({ scope, model }, since, { limit: headsAtOnce, after });
      await take(opened, heads, slice);
      last = heads.length < headsAtOnce ? undefined : heads.at(-1);
    } while (last !== undefined);
  }

  /** Reads the vectors of new or changed conversations. */
  async function take(opened: Opened, heads: readonly MessageVectorsHead[], slice: TimeSlice): Promise<void> {
    const { shelf } = opened;
    for (const { written_at } of heads) if (written_at > opened.seen) opened.seen = written_at;
    for (const batch of batchesOf(heads.filter(shelf.lacks))) {
      if (shelf.isFull() && !opened.isLoaded) return shelf.closeAt(batch[0]?.at ?? '');
      for (const row of await records.messageVectors.byIds(batch.map(({ id }) => id))) {
        if (row.model === model && !opened.gone.has(row.id)) putOn(shelf, row);
        if (slice.isOver()) await slice.yield();
      }
    }
  }

  return {
    model,
    async ready(scopes) {
      await Promise.all(scopes.map(readyOne));
    },

    async nearest(vector, { scopes, conversationIds, limit }) {
      const slice = createTimeSlice();
      const found: Near[] = [];
      for (const scope of scopes) {
        const hits = (await shelves.get(scope)?.shelf.nearest(vector, { conversationIds, limit, slice })) ?? [];
        found.push(...hits.map((hit) => ({ ...hit, id: chunkId(hit.conversationId, hit.chunkIndex) })));
      }
      if (scopes.length > 1) found.sort(byLikeness);
      return found.slice(0, limit);
    },

    async likenessOf(vector, chunks) {
      const slice = createTimeSlice();
      const known = new Map<string, number>();
      for (const { id, scope, conversation_id, chunk_index } of chunks) {
        const likeness = shelves.get(scope)?.shelf.likenessOf(vector, conversation_id, chunk_index);
        if (likeness !== undefined) known.set(id, likeness);
        if (slice.isOver()) await slice.yield();
      }
      return known;
    },

    put(row) {
      const opened = shelves.get(row.scope);
      if (opened !== undefined) putOn(opened.shelf, row);
    },

    remove(conversationId) {
      for (const { shelf, gone, reading } of shelves.values()) {
        shelf.remove(conversationId);
        if (reading !== undefined) gone.add(conversationId);
      }
    },
  };
}

function putOn(shelf: Shelf, { id, at, written_at, vectors, vector_count }: MessageVectorsRow): void {
  shelf.put({ id, at, writtenAt: written_at }, unpacked(vectors, vector_count));
}

function byLikeness(one: Near, other: Near): number {
  if (one.likeness !== other.likeness) return other.likeness - one.likeness;
  if (one.conversationId !== other.conversationId) return one.conversationId < other.conversationId ? -1 : 1;
  return one.chunkIndex - other.chunkIndex;
}

function batchesOf(heads: readonly MessageVectorsHead[]): MessageVectorsHead[][] {
  const batches: MessageVectorsHead[][] = [];
  let vectors = 0;
  for (const head of heads) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= rowsAtOnce || vectors + head.vector_count > vectorsAtOnce) {
      batches.push([head]);
      vectors = head.vector_count;
    } else {
      last.push(head);
      vectors += head.vector_count;
    }
  }
  return batches;
}

import { awake, runYielding } from '../concurrency/yielding.js';
import { type Embedder, TextsRefused } from '../embeddings/contract.js';
import { cuttingWindows } from '../ingestion/chunk.js';
import { withoutSpeaker } from '../language/names.js';
import { MemoryError } from '../model/errors.js';
import type { Steps } from '../model/steps.js';
import type { IndexState } from '../model/tables.js';
import { type Observer, timed } from '../observability/observer.js';
import type { Records } from '../records/open.js';
import { type ChunkRow, messageId } from '../records/store.js';
import { isOutage } from '../resilience/breaker.js';
import type { VectorIndex } from './vector-index.js';

/** A chunk with its text, ready to be embedded. */
export interface ChunkText {
  chunk: Pick<ChunkRow, 'id' | 'conversation_id' | 'scope' | 'speaker' | 'windows'>;
  text: string;
}

export type Indexer = ReturnType<typeof createIndexer>;

interface IndexerParts {
  records: Records;
  vectors: VectorIndex;
  embedder: Embedder;
  observer: Observer;
  /** Resolves after the given time, or at once when the indexer stops. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Starts background work outside the context of the current request. */
  apart?: <Result>(work: () => Result) => Result;
  /** True for a chunk that is already in a store without index states. */
  isDone: (id: string) => boolean;
  /** False while another process does the background work. */
  isOurs?: () => boolean;
}

interface IndexOptions {
  /** None of these chunks was ever written to the vector store, so no lookup is needed. */
  fresh: boolean;
  /** Searchable at once, written to the store soon after: for inserts, which must not wait for a file. */
  behind?: boolean;
  signal?: AbortSignal;
  onIndexed?: (chunks: number) => void;
}

/** Texts per embedding call. */
const batchSize = 512;
const longestPause = 60_000;

/**
 * Indexes chunks for inserts and in the background: embeds them and passes on their vectors. Failed chunks stay
 * `pending` in the metadata store and are retried, so an outage or a crash delays indexing but loses nothing.
 */
export function createIndexer(parts: IndexerParts) {
  const { records, vectors, embedder, observer, wait, apart = (work) => work(), isDone, isOurs = () => true } = parts;
  const claimed = new Set<string>();
  const refused = rememberRefused();
  const stopping = new AbortController();
  let background: Promise<void> | undefined;
  let again = false;
  let revisiting = false;
  /** Chunks that were pending at the last `sweep`. */
  let waited = new Set<string>();
  /** Consecutive background failures, and the time of the next attempt. */
  let delayed: { failures: number; retryAt: number } | undefined;

  /**
   * Works in batches, each embedded, written and marked before the next, so that finished batches survive a later
   * failure. Texts that the model refuses are reported at the end, when all others are indexed.
   */
  async function index(work: readonly ChunkText[], options: IndexOptions): Promise<void> {
    let refusal: TextsRefused | undefined;
    for (const batch of batchesOf(work)) refusal = (await indexTaken(batch, options)) ?? refusal;
    if (refusal !== undefined) throw refusal;
  }

  /** One refused text must not block the others: the batch is bisected until that text is alone. */
  async function indexTaken(batch: readonly ChunkText[], options: IndexOptions): Promise<TextsRefused | undefined> {
    try {
      await indexBatch(batch, options);
      refused.forget(batch.map(({ chunk }) => chunk.id));
      return undefined;
    } catch (error) {
      if (!(error instanceof TextsRefused)) throw error;
      await requireTaking(error, options);
      const [first, ...rest] = batch;
      if (first !== undefined && rest.length === 0) {
        refused.note(first.chunk.id);
        return error;
      }
      const half = Math.ceil(batch.length / 2);
      const before = await indexTaken(batch.slice(0, half), options);
      return (await indexTaken(batch.slice(half), options)) ?? before;
    }
  }

  /** If the model refuses even a single word, it refuses everything, so bisecting the batch is pointless. */
  async function requireTaking(refusal: TextsRefused, { signal }: IndexOptions): Promise<void> {
    try {
      await embedder.embed(['ready'], signal === undefined ? {} : { signal });
    } catch (error) {
      throw error instanceof TextsRefused ? new MemoryError(refusal.code, refusal.message) : error;
    }
  }

  async function indexBatch(work: readonly ChunkText[], options: IndexOptions): Promise<void> {
    const { fresh, behind = false, signal, onIndexed } = options;
    const windows = await runYielding(windowsIn(work));
    const embedding = embedder.embed(windows.flat(), signal === undefined ? {} : { signal });
    const embedded = await timed(observer, 'embedding', embedding);
    let next = 0;
    const chunks = work.map(({ chunk }, position) => {
      const first = next;
      next += windows[position]?.length ?? 0;
      const own = embedded.slice(first, next);
      return { id: chunk.id, vectors: own, scope: chunk.scope, conversationId: chunk.conversation_id };
    });
    if (embedded.length < next) {
      throw new MemoryError('embedding_unavailable', 'The embedder returned too few vectors');
    }
    const writing = behind ? vectors.add(chunks, { fresh }) : vectors.writeThrough(chunks, { fresh });
    await timed(observer, 'vector_insert', writing);
    onIndexed?.(work.length);
  }

  function isHandled(id: string): boolean {
    return claimed.has(id) || vectors.holds(id) || isDone(id);
  }

  /** Iterates once over the chunks in a state. */
  async function pass(state: IndexState, wanted: (id: string) => boolean = isDue): Promise<void> {
    const seen = new Set<string>();
    let after: string | undefined;
    while (!stopping.signal.aborted) {
      const chunks = await records.chunks.inState(state, { after, limit: batchSize });
      after = chunks.at(-1)?.id;
      if (after === undefined) {
        if (state === 'pending') refused.keepOnly(seen);
        return;
      }
      for (const { id } of chunks) if (refused.has(id)) seen.add(id);
      const open = chunks.filter(({ id }) => !isHandled(id) && wanted(id));
      await index(await withText(records, open), { fresh: false }).catch(noteRefusal);
    }
  }

  const isDue = (id: string): boolean => !refused.isResting(id);

  function noteRefusal(error: unknown): void {
    if (!(error instanceof TextsRefused)) throw error;
    observer.log('warn', 'texts_refused', { chunks: refused.count() }, error);
  }

  /** Skips chunks that are new since the last round: their insert is probably still indexing them. */
  async function passLeftBehind(): Promise<void> {
    const waiting = new Set<string>();
    await pass('pending', (id) => {
      waiting.add(id);
      return waited.has(id) && isDue(id);
    });
    waited = waiting;
  }

  async function run(states: readonly IndexState[]): Promise<void> {
    for (let pause = 1_000; !stopping.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      try {
        for (const state of states) await pass(state);
        delayed = undefined;
        return;
      } catch (error) {
        observer.log('warn', 'background_indexing_delayed', { retry_in_ms: pause }, error);
        delayed = { failures: (delayed?.failures ?? 0) + 1, retryAt: Date.now() + pause };
        await wait(pause, stopping.signal);
      }
    }
  }

  function start(states: readonly IndexState[]): void {
    if (background !== undefined) {
      again = true;
      return;
    }
    inBackground(() => run(states));
  }

  function inBackground(work: () => Promise<void>): void {
    background = apart(work).finally(() => {
      background = undefined;
      if (again && !stopping.signal.aborted) {
        again = false;
        start(['pending']);
      }
    });
  }

  return {
    index,

    /** Keeps the background away from chunks that an insert is about to index itself. */
    claim(ids: readonly string[]): () => void {
      for (const id of ids) claimed.add(id);
      return () => {
        for (const id of ids) claimed.delete(id);
      };
    },

    /** Whether a chunk is being indexed by another caller or is already in the store. */
    isHandled,

    /** Starts indexing pending chunks in the background. */
    poke(): void {
      if (!stopping.signal.aborted && isOurs()) start(['pending']);
    },

    /** Indexes all pending chunks once, including those refused before; rejects with the cause of a failure. */
    catchUp: (): Promise<void> => pass('pending', () => true),

    /**
     * Indexes orphaned chunks: those pending now and at the previous sweep. They were left by another process that
     * died, or by an insert whose write succeeded although it was reported as failed.
     */
    sweep(): void {
      if (stopping.signal.aborted || background !== undefined) return;
      // It runs again soon, so it needs no backoff.
      const delayed = (error: unknown): void => observer.log('warn', 'background_indexing_delayed', {}, error);
      inBackground(() => passLeftBehind().catch(delayed));
    },

    /** Indexes chunks that are still pending after this time, because the process that added them is gone. */
    revisit(milliseconds: number): void {
      if (revisiting) return;
      revisiting = true;
      void wait(milliseconds, stopping.signal).then(() => {
        revisiting = false;
        if (!stopping.signal.aborted) start(['pending']);
      });
    },

    /** Fills an empty vector store from the metadata store. */
    rebuild(): void {
      if (!stopping.signal.aborted) start(['pending', 'indexed']);
    },

    /** The state of background indexing, for operators. */
    state(): { running: boolean; failures: number; refused_chunks?: number; next_retry_at?: string } {
      const retry = delayed === undefined ? {} : { next_retry_at: new Date(delayed.retryAt).toISOString() };
      const left = refused.count() === 0 ? {} : { refused_chunks: refused.count() };
      return { running: background !== undefined, failures: delayed?.failures ?? 0, ...left, ...retry };
    },

    /** Resolves when background indexing is done. */
    async settled(): Promise<void> {
      while (background !== undefined) await awake(background);
    },

    async stop(): Promise<void> {
      stopping.abort();
      await background;
    },
  };
}

/** Batches of chunks with about as many windows as fit into one embedding call. */
function batchesOf(work: readonly ChunkText[]): ChunkText[][] {
  const batches: ChunkText[][] = [];
  let room = 0;
  for (const item of work) {
    const batch = room > 0 ? batches.at(-1) : undefined;
    if (batch === undefined) {
      batches.push([item]);
      room = batchSize;
    } else batch.push(item);
    room -= item.chunk.windows ?? 1;
  }
  return batches;
}

function* windowsIn(work: readonly ChunkText[]): Steps<string[][]> {
  const windows: string[][] = [];
  for (const { chunk, text } of work) {
    windows.push(yield* cuttingWindows(withoutSpeaker(text, chunk.speaker), chunk.windows ?? 1));
    yield;
  }
  return windows;
}

/** Reads the text of chunks from their messages. */
export async function withText(
  records: Records,
  chunks: readonly ChunkRow[],
): Promise<{ chunk: ChunkRow; text: string }[]> {
  const messages = await records.conversations.messagesAt(chunks);
  return chunks.flatMap((chunk) => {
    const message = messages.get(messageId(chunk.conversation_id, chunk.message_index));
    return message === undefined ? [] : [{ chunk, text: message.text.slice(chunk.start, chunk.end) }];
  });
}

/** The first and the longest pause before a refused chunk is tried again. */
const pauses = { first: 60_000, longest: 3_600_000 };

/** Chunks whose text the model refuses. They stay pending and are retried with increasing pauses. */
function rememberRefused(now: () => number = Date.now) {
  const refused = new Map<string, { pause: number; until: number }>();

  return {
    note(id: string): void {
      const before = refused.get(id)?.pause;
      const pause = before === undefined ? pauses.first : Math.min(before * 2, pauses.longest);
      refused.set(id, { pause, until: now() + pause });
    },

    forget(ids: readonly string[]): void {
      for (const id of ids) refused.delete(id);
    },

    /** Drops chunks that are no longer pending: another process indexed them, or they are gone. */
    keepOnly(pending: ReadonlySet<string>): void {
      for (const id of refused.keys()) if (!pending.has(id)) refused.delete(id);
    },

    has: (id: string): boolean => refused.has(id),
    isResting: (id: string): boolean => (refused.get(id)?.until ?? 0) > now(),
    count: (): number => refused.size,
  };
}

/** How long an insert waits for its index; the rest is finished in the background. */
const patience = 30_000;

/**
 * Indexes chunks whose metadata is already durable. An outage of the model or the vector store does not fail the
 * insert: nothing is lost, background indexing completes it, and the response says so.
 */
export async function indexNow(
  service: { indexer: Indexer; observer: Observer },
  work: readonly ChunkText[],
  options: { fresh: boolean },
): Promise<{ embedded: number; pending: boolean }> {
  let embedded = 0;
  const signal = AbortSignal.timeout(patience);
  const onIndexed = (chunks: number): void => {
    embedded += chunks;
  };
  try {
    await service.indexer.index(work, { ...options, behind: true, signal, onIndexed });
    return { embedded, pending: false };
  } catch (error) {
    if (!isOutage(error)) throw error;
    service.observer.log('warn', 'indexing_postponed', { chunks: work.length - embedded }, error);
    service.indexer.poke();
    return { embedded, pending: true };
  }
}

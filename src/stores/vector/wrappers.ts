import { MemoryError } from '../../model/errors.js';
import type { Guard } from '../../resilience/guard.js';
import { type Point, ShapeMismatch, type VectorStore } from './contract.js';

/** Opening may load a collection, and emptying one may take a service some time. */
const longCall = 10;
/** The time-out of a write grows by its base value for every this many points. */
const pointsInTime = 1_000;

/**
 * Adds time-outs and retries. All calls are idempotent, because a point replaces the one with its id; a repeated write
 * is never `fresh`, since part of it may already exist. In an embedded store, which has no unique keys, writes run
 * `alone`: a write that timed out may still complete, and two at once would create duplicate rows. `maintain` and
 * `scrub` have no time-out, because they run in the background and depend on the size of the files.
 */
export function guardedVectors(
  store: VectorStore,
  guard: Guard,
  { timeoutMs, embedded }: { timeoutMs: number; embedded: boolean },
): VectorStore {
  const usual = { withinMs: timeoutMs, again: true };
  const long = { withinMs: timeoutMs * longCall, again: false };
  return {
    ...store,
    open: (shape) => guard.run(() => store.open(shape), long),
    upsert(points, { fresh = false } = {}) {
      let first = true;
      const write = (): Promise<void> => {
        const writing = store.upsert(points, { fresh: fresh && first });
        first = false;
        return writing;
      };
      return guard.run(write, {
        withinMs: timeoutMs * (1 + points.length / pointsInTime),
        again: true,
        alone: embedded,
      });
    },
    search: (vector, options) => guard.run(() => store.search(vector, options), usual),
    remove: (ids) => guard.run(() => store.remove(ids), { ...usual, alone: embedded }),
    count: () => guard.run(() => store.count(), usual),
    reset: (shape) => guard.run(() => store.reset(shape), long),
    close: () => guard.run(() => store.close(), { withinMs: timeoutMs, again: false, always: true }),
  };
}

export interface VectorEvent {
  call: 'upsert' | 'search' | 'remove' | 'count' | 'reset' | 'maintain' | 'warm' | 'scrub';
  milliseconds: number;
  failed: boolean;
  error?: unknown;
}

interface VectorObservation {
  /** The dimension of the current embedder. */
  dimension: number;
  record: (event: VectorEvent) => void;
}

/**
 * What every driver gets and none implements: timing, the dimension check, and one public error for anything a back end
 * throws. A failed search never looks like an empty result.
 */
export function observedVectors(store: VectorStore, { dimension, record }: VectorObservation): VectorStore {
  let expected = dimension;

  async function observe<Result>(call: VectorEvent['call'], work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    try {
      const result = await work();
      record({ call, milliseconds: performance.now() - start, failed: false });
      return result;
    } catch (error) {
      record({ call, milliseconds: performance.now() - start, failed: true, error });
      throw publicError(error);
    }
  }

  function requireDimension(vector: Float32Array): void {
    if (vector.length === expected) return;
    throw new MemoryError(
      'vector_unavailable',
      `The vector index contains vectors of dimension ${expected} but received one of dimension ${vector.length}; run "threadkeep reindex".`,
    );
  }

  const { maintain, warm, scrub, details, ids } = store;
  return {
    async open(shape) {
      await store.open(shape);
      expected = shape.dimension;
    },
    upsert: (points, options) =>
      observe('upsert', async () => {
        for (const point of points) requireDimension(point.vector);
        if (points.length > 0) await store.upsert(points, options);
      }),
    async search(vector, options) {
      // A bug on our side that would expose every project's points, so it must not look like an outage.
      if (options.where.scopes.length === 0) throw new Error('A vector search needs at least one scope.');
      return observe('search', async () => {
        requireDimension(vector);
        return store.search(vector, options);
      });
    },
    remove: (ids) => observe('remove', () => store.remove(ids)),
    count: () => observe('count', () => store.count()),
    reset: (shape) =>
      observe('reset', async () => {
        await store.reset(shape);
        expected = shape.dimension;
      }),
    ...(maintain && { maintain: () => observe('maintain', () => maintain()) }),
    ...(warm && { warm: () => observe('warm', () => warm.call(store)) }),
    ...(scrub && { scrub: () => observe('scrub', () => scrub.call(store)) }),
    ...(ids && { ids: () => publicPages(ids.call(store)) }),
    ...(details && { details }),
    close: () => store.close(),
  };
}

async function* publicPages(pages: AsyncIterable<readonly string[]>): AsyncIterable<readonly string[]> {
  try {
    yield* pages;
  } catch (error) {
    throw publicError(error);
  }
}

function publicError(error: unknown): unknown {
  if (error instanceof MemoryError || error instanceof ShapeMismatch) return error;
  return new MemoryError(
    'vector_unavailable',
    'The vector store failed; no saved data is lost. Try again, and see the server log if it persists.',
    { cause: error },
  );
}

/** Reads as usual and writes nothing. Wrap it in `observedVectors`, so that a wrong dimension still fails. */
export function dryRunVectors(store: VectorStore): VectorStore {
  const nothing = async () => {};
  return { ...store, upsert: nothing, remove: nothing, reset: nothing, maintain: nothing, scrub: nothing };
}

const POINTS_A_WRITE = 5_000;

interface Waiting {
  points: readonly Point[];
  fresh: boolean;
  settle: { resolve: () => void; reject: (error: unknown) => void };
}

/**
 * Batches the writes that arrive while another is in progress: a store with a fixed cost per write, such as a version,
 * then pays it once for many callers. Each caller waits only for its own points, and sees a failure only if its own
 * points fail.
 */
export function coalesced(store: VectorStore): VectorStore {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const taken = takeSome(waiting);
      waiting = waiting.slice(taken.length);
      const { fresh, others } = inOrderOfIds(taken);
      await writeTogether(store, fresh, { fresh: true });
      await writeTogether(store, others, { fresh: false });
    }
    writing = undefined;
  }

  return {
    ...store,

    upsert(points, { fresh = false } = {}) {
      if (points.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        waiting.push({ points, fresh, settle: { resolve, reject } });
        writing ??= writeAll();
      });
    },

    async reset(shape) {
      await writing;
      await store.reset(shape);
    },

    async close() {
      await writing;
      await store.close();
    },
  };
}

/** The first callers whose points fit one write, at least one. */
function takeSome(waiting: readonly Waiting[]): Waiting[] {
  let points = 0;
  const end = waiting.findIndex((caller, i) => {
    points += caller.points.length;
    return i > 0 && points > POINTS_A_WRITE;
  });
  return waiting.slice(0, end === -1 ? undefined : end);
}

/**
 * Fresh points are written first, so `fresh` is honoured only if none of the caller's ids occurred earlier in the same
 * round: an id from an earlier caller must be replaced, not duplicated, and must not be overwritten by the older value.
 */
function inOrderOfIds(taken: readonly Waiting[]): { fresh: Waiting[]; others: Waiting[] } {
  const seen = new Set<string>();
  const fresh: Waiting[] = [];
  const others: Waiting[] = [];
  for (const caller of taken) {
    const isFresh = caller.fresh && !caller.points.some((point) => seen.has(point.id));
    (isFresh ? fresh : others).push(caller);
    for (const point of caller.points) seen.add(point.id);
  }
  return { fresh, others };
}

async function writeTogether(
  store: VectorStore,
  callers: readonly Waiting[],
  options: { fresh: boolean },
): Promise<void> {
  const [first, ...rest] = callers;
  if (first === undefined) return;
  try {
    await store.upsert(rest.length === 0 ? first.points : callers.flatMap((caller) => caller.points), options);
    for (const caller of callers) caller.settle.resolve();
  } catch (error) {
    // If the store is down, all callers fail together instead of waiting for the same failure.
    if (rest.length === 0 || error instanceof MemoryError) for (const caller of callers) caller.settle.reject(error);
    // Part of the failed write may be in the store, so the retry replaces.
    else for (const caller of callers) await writeTogether(store, [caller], { fresh: false });
  }
}

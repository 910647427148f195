import { MemoryError } from '../../../model/errors.js';
import { ShapeMismatch, type VectorStore } from '../contract.js';

export interface VectorEvent {
  call: 'upsert' | 'search' | 'remove' | 'count' | 'reset' | 'maintain' | 'warm' | 'scrub';
  milliseconds: number;
  failed: boolean;
  error?: unknown;
}

export interface VectorObservation {
  /** Of the vectors the embedder makes now. */
  dimension: number;
  record: (event: VectorEvent) => void;
}

/**
 * What every driver gets and none contains: timing, the dimension check, and one public error for whatever a back end
 * throws. A failed search is never an empty result.
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
      `The vector index holds vectors of dimension ${expected} and received one of dimension ${vector.length}; run "threadkeep reindex".`,
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
      // A mistake in our own code, and one that would show everybody's points: not an outage to report politely.
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
    'The vector store failed; nothing that was saved is lost. Try again, and see the server log if it persists.',
    { cause: error },
  );
}

import type { Observer } from '../observability/observer.js';
import { isOutage } from '../resilience/outage.js';
import type { ChunkText, Indexer } from './indexer.js';

/** How long an insert waits for its index; what is left then is finished in the background. */
const patience = 30_000;

/**
 * Indexes chunks whose metadata is already durable. An outage of the model or of the vector store is no failure of the
 * insert: nothing is lost, the background finishes the job, and the answer says so.
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

import { MemoryError } from '../../model/errors.js';
import type { ChunkText } from '../indexer.js';
import type { Service } from '../service.js';

/**
 * Indexes chunks whose metadata is already durable. An outage of the model or of the vector store is no failure of the
 * insert: nothing is lost, the background finishes the job, and the answer says so.
 */
export async function indexNow(
  service: Service,
  work: readonly ChunkText[],
  options: { fresh: boolean },
): Promise<{ embedded: number; pending: boolean }> {
  try {
    return { embedded: await service.indexer.index(work, options), pending: false };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    if (error.code !== 'embedding_unavailable' && error.code !== 'vector_unavailable') throw error;
    service.observer.log('warn', 'indexing_postponed', { chunks: work.length, code: error.code }, error);
    service.indexer.poke();
    return { embedded: 0, pending: true };
  }
}

import { MemoryError } from '../model/errors.js';

/** True when the model or the vector store is down or too slow: work that can wait or do without it may continue. */
export function isOutage(error: unknown): boolean {
  if (error instanceof MemoryError)
    return error.code === 'embedding_unavailable' || error.code === 'vector_unavailable';
  return error instanceof Error && error.name === 'TimeoutError';
}

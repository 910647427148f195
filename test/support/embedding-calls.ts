import type { TestService } from './service.js';

/** How often the embedder was asked so far. */
export function embeddingCalls({ metrics }: TestService): number {
  const { histograms } = metrics.snapshot();
  return histograms.find(({ name }) => name === 'memory_embedding_duration_ms')?.count ?? 0;
}

import { basename } from 'node:path';
import type { Config } from '../config/schema.js';
import type { Embedder } from '../embeddings/contract.js';
import { openEmbedder } from '../embeddings/open.js';
import { guardedEmbedder, observedEmbedder } from '../embeddings/wrappers.js';
import { MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import type { Around, Dependencies } from './dependencies.js';

/** The configured embedder, guarded, measured and checked. `isFailing`: the last call of it failed. */
export async function openObservedEmbedder(
  config: Config,
  { observer, dependencies, around }: { observer: Observer; dependencies: Dependencies; around: Around },
): Promise<{ embedder: Embedder; isFailing: () => boolean }> {
  const { embeddings: provider, embedding_model: model, embedding_dimension: dimension } = config.providers;
  const { base_url: baseUrl, api_key: apiKey } = config.embedding_endpoint;
  const raw = await openEmbedder({
    provider,
    model,
    dimension,
    ...(baseUrl === undefined ? {} : { endpoint: { baseUrl, ...(apiKey === '' ? {} : { apiKey }) } }),
    batchSize: config.embeddings.batch_size,
    concurrency: config.embeddings.concurrency,
    timeoutMs: config.embeddings.timeout_ms,
    maxRetries: config.embeddings.max_retries,
    ...(dependencies.endpoint === undefined ? {} : { breaker: dependencies.endpoint }),
  });
  // A call is many requests, some of them repeated.
  const limit = provider === 'http' ? { withinMs: config.embeddings.timeout_ms * 10 } : {};
  const guarded = guardedEmbedder(around.embedder?.(raw) ?? raw, dependencies.embedding, limit);
  observer.count('memory_embedding_failures_total', { provider, error_type: 'embedding_unavailable' }, 0);
  let failing = false;
  const embedder = observedEmbedder(guarded, ({ milliseconds, failed, error }) => {
    observer.duration('memory_embedding_duration_ms', milliseconds, { provider, model: modelName(model) });
    if (failed) observer.count('memory_embedding_failures_total', { provider, error_type: errorType(error) });
    // A caller who goes away says nothing about the model.
    if (!failed || errorType(error) !== 'aborted') failing = failed;
  });
  return { embedder, isFailing: () => failing };
}

/** A model from a folder goes by the folder's name: where it lies is nobody's business. */
function modelName(model: string): string {
  return basename(model).slice(0, 80);
}

function errorType(error: unknown): string {
  if (error instanceof MemoryError) return error.code;
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'aborted';
}

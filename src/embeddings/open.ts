import { StartupError } from '../model/errors.js';
import type { Breaker } from '../resilience/breaker.js';
import type { Embedder } from './contract.js';
import { createHttpEmbedder } from './http.js';
import { openLocalEmbedder } from './local.js';

export interface OpenEmbedderOptions {
  provider: 'local' | 'http';
  model: string;
  dimension: number;
  /** Needed by `http` alone. */
  endpoint?: { baseUrl: string; apiKey?: string };
  batchSize: number;
  concurrency: number;
  timeoutMs: number;
  maxRetries: number;
  /** Of the endpoint; a model on this machine has none. */
  breaker?: Breaker;
}

/** The configured embedder; no request is made yet. Throws `StartupError` when the configuration cannot work. */
export async function openEmbedder(options: OpenEmbedderOptions): Promise<Embedder> {
  const { provider, endpoint, breaker, ...rest } = options;
  switch (provider) {
    case 'local':
      return openLocalEmbedder(rest);
    case 'http':
      if (endpoint === undefined || endpoint.baseUrl === '') {
        throw new StartupError('config_invalid', 'providers.embeddings is "http" but there is no endpoint to ask.', {
          hint: 'Set embedding_endpoint.base_url to an OpenAI-compatible address such as http://localhost:11434/v1.',
        });
      }
      return createHttpEmbedder({ ...rest, ...endpoint, ...(breaker === undefined ? {} : { breaker }) });
    default:
      return provider satisfies never;
  }
}

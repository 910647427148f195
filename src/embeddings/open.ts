import { createHash } from 'node:crypto';
import { MemoryError, StartupError } from '../model/errors.js';
import type { Breaker } from '../resilience/breaker.js';
import type { Guard } from '../resilience/guard.js';
import type { Embedder, EmbeddingDescription } from './contract.js';
import { createHttpEmbedder } from './http.js';
import { openLocalEmbedder } from './local.js';
import { dimensionMismatch, withoutSecrets } from './request.js';

/*
 * Opens the configured embedder and wraps it with metrics and protection.
 */

interface OpenEmbedderOptions {
  provider: 'local' | 'http';
  model: string;
  dimension: number;
  /** Required for `http` only. */
  endpoint?: { baseUrl: string; apiKey?: string };
  batchSize: number;
  concurrency: number;
  timeoutMs: number;
  maxRetries: number;
  /** The endpoint's circuit breaker; a local model has none. */
  breaker?: Breaker;
}

/**
 * Opens the configured embedder without sending a request. Throws `StartupError` when the configuration cannot work.
 */
export async function openEmbedder(options: OpenEmbedderOptions): Promise<Embedder> {
  const { provider, endpoint, breaker, ...rest } = options;
  switch (provider) {
    case 'local':
      return openLocalEmbedder(rest);
    case 'http':
      if (endpoint === undefined || endpoint.baseUrl === '') {
        throw new StartupError('config_invalid', 'providers.embeddings is "http" but no endpoint is configured.', {
          hint: 'Set embedding_endpoint.base_url to an OpenAI-compatible address such as http://localhost:11434/v1.',
        });
      }
      return createHttpEmbedder({ ...rest, ...endpoint, ...(breaker === undefined ? {} : { breaker }) });
    default:
      return provider satisfies never;
  }
}

/**
 * Wraps an embedder so that callers never wait too long: a call returns at once when its signal aborts, and after
 * `withinMs` if given. Local models have no time limit, because a large batch may legitimately take long.
 */
export function guardedEmbedder(embedder: Embedder, guard: Guard, { withinMs }: { withinMs?: number }): Embedder {
  return {
    ...embedder,
    embed(texts, options = {}) {
      const asked = () => orAbort(embedder.embed(texts, options), options.signal);
      return withinMs === undefined ? asked() : guard.run(asked, { withinMs, again: false });
    },
  };
}

/** Rejects with the signal's reason as soon as it aborts, whether or not the work stops. */
function orAbort<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

export interface EmbeddingEvent {
  milliseconds: number;
  texts: number;
  failed: boolean;
  error?: unknown;
}

/**
 * Wraps an embedder to record its calls and check its results: the count and dimension must match, and every failure is
 * a `MemoryError`, except that a caller who aborts gets the abort reason.
 */
export function observedEmbedder(embedder: Embedder, record: (event: EmbeddingEvent) => void): Embedder {
  return {
    trust: embedder.trust,
    async embed(texts, options = {}) {
      if (texts.length === 0) return [];
      const started = performance.now();
      const finish = (end: { failed: boolean; error?: unknown }) =>
        record({ milliseconds: performance.now() - started, texts: texts.length, ...end });
      try {
        const vectors = await embedder.embed(texts, options);
        verify(vectors, { count: texts.length, dimension: embedder.describe().dimension });
        finish({ failed: false });
        return vectors;
      } catch (cause) {
        const error = options.signal?.aborted || cause instanceof MemoryError ? cause : unforeseen(cause);
        finish({ failed: true, error });
        throw error;
      }
    },
    describe: () => embedder.describe(),
    close: () => embedder.close(),
  };
}

function verify(vectors: Float32Array[], { count, dimension }: { count: number; dimension: number }): void {
  if (vectors.length !== count) {
    throw new MemoryError(
      'embedding_unavailable',
      `The embedder returned ${vectors.length} vectors for ${count} texts: check the embedding provider.`,
    );
  }
  for (const vector of vectors) {
    if (vector.length !== dimension) throw dimensionMismatch(dimension, vector.length);
  }
}

function unforeseen(cause: unknown): MemoryError {
  return new MemoryError('embedding_unavailable', 'The embedder failed: see the log for the cause, then try again.', {
    cause,
  });
}

export interface FingerprintParts {
  embedding: EmbeddingDescription;
  vectorIndex: { provider: string; id: string; distance: string };
}

/** Contains no secrets, because it is stored beside the digest and shown in diagnostics. */
export type FingerprintDescription = {
  embedding: EmbeddingDescription;
  vector_index: { provider: string; id: string; distance: string };
};

/**
 * Identifies everything that must stay the same for stored vectors to remain comparable with new ones. The digest
 * covers the redacted description, so it can be verified from the description, and a changed key does not change it.
 */
export function fingerprint({ embedding, vectorIndex }: FingerprintParts): {
  digest: string;
  description: FingerprintDescription;
} {
  const { provider, model, dimension, options } = embedding;
  const description: FingerprintDescription = {
    embedding: {
      provider,
      model,
      dimension,
      options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, redact(name, value)])),
    },
    vector_index: {
      provider: vectorIndex.provider,
      id: redact('id', vectorIndex.id),
      distance: vectorIndex.distance,
    },
  };
  return { digest: createHash('sha256').update(canonicalJson(description)).digest('hex'), description };
}

// Only strings can be secrets: "max_tokens: 512" is a setting that changes the vectors.
function redact<Value extends string | number | boolean>(name: string, value: Value): Value | string {
  if (typeof value !== 'string') return value;
  if (/key|secret|password|token/i.test(name)) return '[redacted]';
  return value.includes('://') && URL.canParse(value) ? publicPart(new URL(value)) : value;
}

/** URLs such as `redis://` have no origin, so the host is used for them. */
function publicPart(url: URL): string {
  return url.origin === 'null' ? `${url.protocol}//${url.host}${url.pathname}` : withoutSecrets(url);
}

/** JSON with sorted object keys, so that equal content gives equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isPlainObject(part) ? sorted(part) : part));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

import type { Config } from '../config/schema.js';
import type { Embedder } from '../embeddings/contract.js';
import type { Observer } from '../observability/observer.js';
import { type Breaker, createBreaker, isDown } from '../resilience/breaker.js';
import { createGuard, type Dependency, type Guard, type GuardState } from '../resilience/guard.js';
import { type MetadataDriver, type MetadataStore, WriteConflict } from '../stores/metadata/contract.js';
import { metadataDrivers } from '../stores/metadata/drivers.js';
import { ShapeMismatch, type VectorDriver, type VectorStore } from '../stores/vector/contract.js';
import { vectorDrivers } from '../stores/vector/drivers.js';
import type { Tokenizer } from '../tokenizer/contract.js';

/**
 * Wraps the raw stores, the embedder and the tokenizer below all our own wrappers, so that tests can make them fail.
 */
export interface Around {
  metadata?: (store: MetadataStore) => MetadataStore;
  vectors?: (store: VectorStore) => VectorStore;
  embedder?: (embedder: Embedder) => Embedder;
  tokenizer?: (tokenizer: Tokenizer) => Tokenizer;
}

export interface Dependencies {
  metadata: Guard;
  vectors: Guard;
  embedding: Guard;
  /** The breaker of the embedding endpoint, which counts single requests; a local model has none. */
  endpoint?: Breaker;
  state(): Record<Dependency, GuardState>;
}

const quiet: Observer = { log() {}, count() {}, duration() {} };

/** The service's dependencies, each with its protection. In-process dependencies have no circuit breaker. */
export function guardDependencies(config: Config, observer: Observer = quiet): Dependencies {
  const { metadataDb, vectorDb, embeddings } = config.providers;
  const metadataDriver: MetadataDriver = metadataDrivers[metadataDb];
  const vectorDriver: VectorDriver = vectorDrivers[vectorDb];
  const remoteVectors = vectorDriver.embedded !== true && vectorDriver.persistent;

  const breakerOf = (dependency: Dependency, provider: string): Breaker =>
    createBreaker({
      failures: config.circuit.failures,
      pauseMs: config.circuit.pauseMs,
      onChange(kind) {
        const retry = kind === 'open' ? { retry_in_ms: config.circuit.pauseMs } : {};
        observer.log(kind === 'open' ? 'warn' : 'info', `circuit_${kind}`, { reason: dependency, provider, ...retry });
      },
    });
  const guardOf = (dependency: Dependency, breaker: Breaker | undefined): Guard =>
    createGuard({
      dependency,
      ...(breaker === undefined ? {} : { breaker }),
      retries: breaker === undefined ? 0 : config.storage.maxRetries,
      isDown: (error) => !(error instanceof WriteConflict || error instanceof ShapeMismatch) && isDown(error),
      onTrouble: (error_type) => observer.count('memory_dependency_failures_total', { dependency, error_type }),
    });

  const endpoint = embeddings === 'http' ? breakerOf('embedding', embeddings) : undefined;
  const metadata = guardOf('metadata', metadataDriver.remote ? breakerOf('metadata', metadataDb) : undefined);
  const vectors = guardOf('vectors', remoteVectors ? breakerOf('vectors', vectorDb) : undefined);
  const embedding = guardOf('embedding', undefined);
  return {
    metadata,
    vectors,
    embedding,
    ...(endpoint === undefined ? {} : { endpoint }),
    state: () => ({
      metadata: metadata.state(),
      vectors: vectors.state(),
      embedding: { ...embedding.state(), ...(endpoint === undefined ? {} : stateOf(endpoint)) },
    }),
  };
}

function stateOf(breaker: Breaker): Pick<GuardState, 'circuit' | 'failures' | 'retry_in_ms'> {
  const { kind, failures } = breaker.state();
  return { circuit: kind, failures, ...(kind === 'open' ? { retry_in_ms: Math.ceil(breaker.pause()) } : {}) };
}

import type { Config } from '../config/schema.js';
import type { Embedder } from '../embeddings/contract.js';
import type { MetricsSnapshot } from '../observability/metrics.js';
import { outsideRequests } from '../observability/request-context.js';
import type { Records } from '../records/open.js';
import type { Dependency, GuardState } from '../resilience/guard.js';
import type { MetadataStore } from '../stores/metadata/contract.js';
import type { TokenizerStatus } from '../tokenizer/open.js';
import type { Dependencies } from './dependencies.js';
import type { OpenedVectors } from './open-vectors.js';

export type HealthMode = 'ok' | 'degraded' | 'dry-run';

/** The six flat fields of the interface, with the same details repeated under `health`. Contains no secrets. */
export interface HealthReport {
  status: 'ok' | 'unavailable';
  mode: HealthMode;
  metadata_provider: string;
  vector_provider: string;
  embedding_provider: string;
  telemetry_enabled: boolean;
  health: {
    mode: HealthMode;
    reasons: string[];
    requested_vector_provider: string;
    vector_fallback_active: boolean;
    embedding: { provider: string; model: string; dimension: number };
    /** `details` is what the store reports about itself, such as its kind of index. */
    vector_index: { provider: string; distance: string; details?: Record<string, string> };
    tokenizer: TokenizerStatus;
    /** `failing`: it was not asked now, and its last call failed. */
    checks?: Record<string, 'ok' | 'unavailable' | 'failing'>;
    /** Chunks that are stored but pending in the vector index; the background indexer works on them. */
    pending_chunks?: number;
    /** Circuit state and recent failures of each store and of the embedding service. */
    dependencies?: Record<Dependency, GuardState>;
  };
}

export type Health = ReturnType<typeof createHealth>;

interface HealthParts {
  config: Config;
  vectors: OpenedVectors;
  embedder: Embedder;
  records: Records;
  metadata: Pick<MetadataStore, 'check'>;
  dependencies: Dependencies;
  /** True when the last call to the embedder failed. */
  isEmbedderFailing: () => boolean;
  tokenizer: TokenizerStatus;
}

export function createHealth(parts: HealthParts) {
  const { config, vectors, embedder, records, metadata: store, dependencies, isEmbedderFailing, tokenizer } = parts;
  const { provider, model, dimension } = embedder.describe();
  /** The stores that did not answer the last check, so that all reports agree on them. */
  const down = new Set<Store>();

  function reasons(): string[] {
    const silent = [...down].sort().map((name) => `the ${name} store does not answer`);
    return vectors.fallbackReason === undefined ? silent : [vectors.fallbackReason, ...silent];
  }

  function mode(): HealthMode {
    if (config.storage.dryRun) return 'dry-run';
    return reasons().length === 0 ? 'ok' : 'degraded';
  }

  function note(name: Store, isDown: boolean): void {
    if (isDown) down.add(name);
    else down.delete(name);
  }

  /** The state as last observed, without contacting the stores. */
  function report(): HealthReport {
    const details = vectors.store.details?.();
    return {
      status: 'ok',
      mode: mode(),
      metadata_provider: config.providers.metadataDb,
      vector_provider: vectors.provider,
      embedding_provider: provider,
      telemetry_enabled: config.observability.tracing.enabled || config.observability.metrics.enabled,
      health: {
        mode: mode(),
        reasons: reasons(),
        requested_vector_provider: config.providers.vectorDb,
        vector_fallback_active: vectors.fallbackReason !== undefined,
        embedding: { provider, model, dimension },
        vector_index: {
          provider: vectors.provider,
          distance: config.storage.vector.distance,
          ...(details === undefined ? {} : { details }),
        },
        tokenizer,
      },
    };
  }

  /** Readiness: queries the stores, and the embedder only when that is configured. */
  async function look(): Promise<HealthReport> {
    const probe = config.observability.embeddingReadinessProbe;
    let pending: number | undefined;
    const countPending = async (): Promise<void> => {
      pending = await records.chunks.countInState('pending');
    };
    const metadataAnswers = async (): Promise<void> => {
      await countPending();
      await store.check?.();
    };
    const [metadata, stored, embedding] = await Promise.all([
      answers(metadataAnswers),
      answers(() => vectors.store.count()),
      probe ? answers(() => embedder.embed(['ready'], { signal: AbortSignal.timeout(patience) })) : lately(),
    ]);
    note('metadata', metadata === 'unavailable');
    note('vector', stored === 'unavailable');
    const available = tokenizer.available ? ('ok' as const) : ('unavailable' as const);
    const checks = { metadata, vectors: stored, tokenizer: available, embedding };
    // A missing tokenizer package makes counts less exact but does not affect readiness.
    const needed = [checks.metadata, checks.vectors, checks.embedding];
    const current = report();
    // A failing model loses nothing: inserts are indexed later, and keyword search answers meanwhile.
    const status = needed.includes('unavailable') ? 'unavailable' : 'ok';
    const index = pending === undefined ? {} : { pending_chunks: pending };
    return {
      ...current,
      status,
      health: { ...current.health, checks, ...index, dependencies: dependencies.state() },
    };
  }

  /** The embedder's state according to its latest calls, without making another. */
  function lately(): 'ok' | 'failing' {
    return isEmbedderFailing() ? 'failing' : 'ok';
  }

  let looking: Promise<HealthReport> | undefined;

  /** Concurrent probes share one check, because the number of probes is not limited. */
  function ready(): Promise<HealthReport> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  /**
   * Liveness: reports what is running after checking that the metadata store's files are in place. A remote store is
   * not queried, and a store too busy to answer in time counts as unchanged.
   */
  async function live(): Promise<HealthReport> {
    const looked = await within(glance, filesInPlace()).catch(() => undefined);
    if (looked !== undefined) note('metadata', looked === 'gone');
    return report();
  }

  async function filesInPlace(): Promise<'in place' | 'gone' | undefined> {
    if (store.check === undefined) return undefined;
    try {
      await store.check();
      return 'in place';
    } catch {
      // Reported as the result; the failure itself was logged where it happened.
      return 'gone';
    }
  }

  return { mode, report, live, ready };
}

type Store = 'metadata' | 'vector';

/** Liveness probes are frequent and must be answered quickly. */
const glance = 500;

/** A store that takes longer than this is not ready. */
const patience = 5_000;

async function answers(ask: () => Promise<unknown>): Promise<'ok' | 'unavailable'> {
  try {
    await within(patience, ask());
    return 'ok';
  } catch {
    // Reported as the result; the failure itself was logged where it happened.
    return 'unavailable';
  }
}

/** Rejects if `work` takes longer than this. A later result or failure is ignored. */
export function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`took longer than ${milliseconds} ms`)), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The state of the service at one moment, and the requests since the previous sample. */
export interface HealthSample {
  at: string;
  mode: HealthMode;
  /** Chunks that wait for the vector index; absent when the store did not answer. */
  pending_chunks?: number;
  requests: number;
  /** Requests that failed through a fault of the service. */
  failed_requests: number;
  mean_ms?: number;
}

export interface HealthHistory {
  /** Oldest first. */
  samples(): readonly HealthSample[];
  /** Takes a sample now. */
  sample(): Promise<void>;
  stop(): void;
}

interface HistoryParts {
  mode: () => HealthMode;
  countPending: () => Promise<number | undefined>;
  snapshot: () => MetricsSnapshot;
  now: () => string;
}

/** A sample a minute, for a day. */
const sampleEvery = 60_000;
const mostSamples = 24 * 60;

/**
 * Samples the service while it runs, so that an operator can see when a problem began. Kept in memory, without user
 * text. The first sample is taken after a minute.
 */
export function watchHealth({ mode, countPending, snapshot, now }: HistoryParts): HealthHistory {
  const samples: HealthSample[] = [];
  let before = requestsIn(snapshot());
  const sample = async (): Promise<void> => {
    const pending = await countPending();
    const total = requestsIn(snapshot());
    const requests = total.count - before.count;
    samples.push({
      at: now(),
      mode: mode(),
      ...(pending === undefined ? {} : { pending_chunks: pending }),
      requests,
      failed_requests: total.failed - before.failed,
      ...(requests === 0 ? {} : { mean_ms: (total.sum - before.sum) / requests }),
    });
    if (samples.length > mostSamples) samples.shift();
    before = total;
  };
  // A failing store leaves out its own number, so nothing else can fail here.
  const timer = setInterval(() => void outsideRequests(sample), sampleEvery);
  timer.unref();
  return { samples: () => samples, sample, stop: () => clearInterval(timer) };
}

/** Requests for the memory itself: probes and pages would drown them. */
function requestsIn({ histograms }: MetricsSnapshot): { count: number; sum: number; failed: number } {
  const total = { count: 0, sum: 0, failed: 0 };
  for (const { name, labels, count, sum } of histograms) {
    if (name !== 'memory_api_request_duration_ms' || !String(labels.route).startsWith('/memory/')) continue;
    total.count += count;
    total.sum += sum;
    if (Number(labels.status_code) >= 500) total.failed += count;
  }
  return total;
}

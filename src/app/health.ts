import type { Config } from '../config/schema.js';
import type { Embedder } from '../embeddings/contract.js';
import type { Records } from '../records/open.js';
import type { Dependency, GuardState } from '../resilience/guard.js';
import type { MetadataStore } from '../stores/metadata/contract.js';
import type { TokenizerStatus } from '../tokenizer/open.js';
import type { Dependencies } from './dependencies.js';
import type { OpenedVectors } from './open-vectors.js';

export type HealthMode = 'ok' | 'degraded' | 'dry-run';

/** The six flat fields of the interface, with the detail repeated under `health`. Nothing in it is secret. */
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
    /** With what the store says about itself, such as the kind of index it found. */
    vector_index: { provider: string; distance: string; details?: Record<string, string> };
    tokenizer: TokenizerStatus;
    /** `failing`: it was not asked now, and what it was asked last failed. */
    checks?: Record<string, 'ok' | 'unavailable' | 'failing'>;
    /** Chunks that are saved but not in the vector index yet; the background works on them. */
    pending_chunks?: number;
    /** Of each store and the embedding service: whether it is asked, and how it did lately. */
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
  /** The last call of the embedder failed. */
  isEmbedderFailing: () => boolean;
  tokenizer: TokenizerStatus;
}

export function createHealth(parts: HealthParts) {
  const { config, vectors, embedder, records, metadata: store, dependencies, isEmbedderFailing, tokenizer } = parts;
  const { provider, model, dimension } = embedder.describe();
  /** The stores that did not answer when they were asked last: every page tells the same of them. */
  const down = new Set<Store>();

  function reasons(): string[] {
    const silent = [...down].sort().map((name) => `the ${name} store does not answer`);
    return vectors.fallbackReason === undefined ? silent : [vectors.fallbackReason, ...silent];
  }

  function mode(): HealthMode {
    if (config.storage.dry_run) return 'dry-run';
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
      metadata_provider: config.providers.metadata_db,
      vector_provider: vectors.provider,
      embedding_provider: provider,
      telemetry_enabled: config.observability.tracing.enabled || config.observability.metrics.enabled,
      health: {
        mode: mode(),
        reasons: reasons(),
        requested_vector_provider: config.providers.vector_db,
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

  /** Readiness: really asks the stores, and the embedder only when that is configured. */
  async function look(): Promise<HealthReport> {
    const probe = config.observability.embedding_readiness_probe;
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
    // A missing tokenizer package costs exactness, not service.
    const needed = [checks.metadata, checks.vectors, checks.embedding];
    const current = report();
    // A failing model costs nothing that is stored: inserts are indexed later, and keywords answer meanwhile.
    const status = needed.includes('unavailable') ? 'unavailable' : 'ok';
    const index = pending === undefined ? {} : { pending_chunks: pending };
    return {
      ...current,
      status,
      health: { ...current.health, checks, ...index, dependencies: dependencies.state() },
    };
  }

  /** What the last calls to the embedder say, without another one. */
  function lately(): 'ok' | 'failing' {
    return isEmbedderFailing() ? 'failing' : 'ok';
  }

  let looking: Promise<HealthReport> | undefined;

  /** Probes that come while one is under way share its answer: they are let in however many there are. */
  function ready(): Promise<HealthReport> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  /**
   * Liveness: what runs, after a look whether the files of the metadata store are in place. A store that is a service is
   * not asked, and one that is at work for longer than the look may take is taken to be as it was.
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
      // The answer is the report; the failure itself was logged where it happened.
      return 'gone';
    }
  }

  return { mode, report, live, ready };
}

type Store = 'metadata' | 'vector';

/** A liveness probe is asked often and answered at once. */
const glance = 500;

/** A probe wants to know now: a store that needs longer is not ready. */
const patience = 5_000;

async function answers(ask: () => Promise<unknown>): Promise<'ok' | 'unavailable'> {
  try {
    await within(patience, ask());
    return 'ok';
  } catch {
    // The answer is the report; the failure itself was logged where it happened.
    return 'unavailable';
  }
}

/** The result, unless it takes longer. What comes later is nobody's any more. */
export function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`took longer than ${milliseconds} ms`)), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

import type { Config } from '../config/schema.js';
import { readGauges } from './gauges.js';
import type { OpenObserver } from './observer.js';
import type { Runtime } from './open-runtime.js';
import { version } from './version.js';

/** Everything an operator may want to see of the running service; secrets are not in it. */
export async function observabilityReport(
  config: Config,
  runtime: Runtime,
  { metrics, telemetry }: OpenObserver,
  /** Whether the reader may see how much everybody does. */
  { counters }: { counters: boolean },
): Promise<object> {
  const { tracing, metrics: exported, ...logging } = config.observability;
  const { health: detail, ...flat } = runtime.health.report();
  const state = telemetry.state();
  const gauges = await readGauges(runtime);
  const backlog = gauges.find(({ name }) => name === 'memory_pending_chunks')?.value;
  return {
    status: 'ok',
    version,
    runtime: {
      ...flat,
      ...detail,
      auth_mode: config.api.auth,
      interfaces: config.interfaces,
      storage: { dry_run: config.storage.dry_run, vector_fallback_allowed: config.storage.vector.allow_fallback },
      dependencies: runtime.dependencies.state(),
      language_models: runtime.languageModels.report(),
      ...(counters
        ? {
            indexing: {
              ...(backlog === undefined ? {} : { pending_chunks: backlog }),
              queued_chunks: runtime.service.vectors.waiting(),
              ...runtime.service.indexer.state(),
            },
          }
        : {}),
    },
    observability: {
      ...logging,
      tracing: {
        enabled: tracing.enabled,
        configured: state.tracing !== undefined,
        exporter: 'otlp',
        protocol: tracing.protocol,
        sample_ratio: tracing.sample_ratio,
        ...state.tracing,
      },
      metrics: {
        enabled: exported.enabled,
        configured: state.metrics !== undefined,
        exporter: 'otlp',
        protocol: exported.protocol,
        interval_seconds: exported.interval_seconds,
        ...state.metrics,
      },
      telemetry_enabled: tracing.enabled || exported.enabled,
    },
    ...(counters ? { metrics: { ...metrics.snapshot(), gauges } } : {}),
  };
}

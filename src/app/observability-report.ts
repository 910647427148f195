import type { Config } from '../config/schema.js';
import type { GaugeName } from '../observability/observer.js';
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
  const gauge = (wanted: GaugeName): number | undefined => gauges.find(({ name }) => name === wanted)?.value;
  const backlog = gauge('memory_pending_chunks');
  const encoded = gauge('memory_encoded_conversations');
  const { tagging, encoding } = runtime.service;
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
      ...(counters
        ? {
            indexing: {
              ...(backlog === undefined ? {} : { pending_chunks: backlog }),
              queued_chunks: runtime.service.vectors.waiting(),
              ...runtime.service.indexer.state(),
              ...(tagging === undefined ? {} : { tagging: { waiting_conversations: tagging.waiting() } }),
              ...(encoding === undefined
                ? {}
                : {
                    deep_index: {
                      waiting_conversations: encoding.waiting(),
                      ...(encoded === undefined ? {} : { encoded_conversations: encoded }),
                    },
                  }),
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

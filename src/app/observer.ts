import { randomUUID } from 'node:crypto';
import { secretsOf, textRedactor } from '../config/redact.js';
import type { Config } from '../config/schema.js';
import { createLogger, openLogFile } from '../observability/logger.js';
import { createMetrics, type GaugeSample, type Metrics } from '../observability/metrics.js';
import type { GaugeName, LogLevel, Observer } from '../observability/observer.js';
import { openTelemetry, type Telemetry } from '../observability/telemetry.js';
import { type HealthMode, type HealthSample, within } from './health.js';
import type { Runtime } from './open-runtime.js';
import { version } from './version.js';

export interface OpenObserver {
  observer: Observer;
  metrics: Metrics;
  telemetry: Telemetry;
  close(): Promise<void>;
}

/** Logs go to standard error; a server also keeps them in `paths.logs_dir` and may send telemetry. */
export function openObserver(
  config: Config,
  options: { toFile: boolean; level?: LogLevel; telemetry?: boolean },
): OpenObserver {
  const { observability } = config;
  const metrics = createMetrics();
  const file = options.toFile ? openLogFile(config.paths.logsDir) : undefined;
  const log = createLogger({
    level: options.level ?? observability.logLevel,
    format: observability.logFormat,
    includeStackTraces: observability.includeStackTraces,
    service: observability.serviceName,
    environment: observability.environment,
    payloads: observability.debugPayloads,
    traces: observability.tracing.enabled,
    redact: textRedactor(secretsOf(config)),
    now: () => new Date().toISOString(),
    write(line) {
      process.stderr.write(`${line}\n`);
      file?.write(line);
    },
  });
  const telemetry = openTelemetry(telemetrySettings(config, options.telemetry ?? false), { metrics, log });
  return {
    observer: {
      log,
      count: metrics.count,
      duration(name, milliseconds, labels = {}) {
        metrics.duration(name, milliseconds, labels);
        telemetry.duration(name, milliseconds, labels);
      },
    },
    metrics,
    telemetry,
    async close() {
      await telemetry.close();
      await file?.close();
    },
  };
}

function telemetrySettings({ observability }: Config, wanted: boolean) {
  const { tracing, metrics, serviceName, environment } = observability;
  const resource = { serviceName, serviceVersion: version, environment, instanceId: randomUUID() };
  return {
    resource,
    ...(wanted && tracing.enabled
      ? { tracing: { endpoint: tracing.endpoint, protocol: tracing.protocol, sampleRatio: tracing.sampleRatio } }
      : {}),
    ...(wanted && metrics.enabled
      ? {
          metrics: {
            endpoint: metrics.endpoint,
            protocol: metrics.protocol,
            pauseMs: metrics.intervalSeconds * 1_000,
          },
        }
      : {}),
  };
}

/** Reports the state of the running service for an operator; contains no secrets. */
export async function observabilityReport(
  config: Config,
  runtime: Runtime,
  { metrics, telemetry }: OpenObserver,
  /** Whether the reader may see everyone's activity counters. */
  { counters, history }: { counters: boolean; history: readonly HealthSample[] },
): Promise<object> {
  const { tracing, metrics: exported } = config.observability;
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
      storage: { dry_run: config.storage.dryRun, vector_fallback_allowed: config.storage.vector.allowFallback },
      dependencies: runtime.dependencies.state(),
      language_models: runtime.languageModels.report(),
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
      ...loggingOf(config),
      tracing: {
        enabled: tracing.enabled,
        configured: state.tracing !== undefined,
        exporter: 'otlp',
        protocol: tracing.protocol,
        sample_ratio: tracing.sampleRatio,
        ...state.tracing,
      },
      metrics: {
        enabled: exported.enabled,
        configured: state.metrics !== undefined,
        exporter: 'otlp',
        protocol: exported.protocol,
        interval_seconds: exported.intervalSeconds,
        ...state.metrics,
      },
      telemetry_enabled: tracing.enabled || exported.enabled,
    },
    ...(counters ? { metrics: { ...metrics.snapshot(), gauges }, history } : {}),
  };
}

function loggingOf({ observability }: Config): object {
  return {
    service_name: observability.serviceName,
    environment: observability.environment,
    log_level: observability.logLevel,
    log_format: observability.logFormat,
    access_logs: observability.accessLogs,
    request_id_header: observability.requestIdHeader,
    include_stack_traces: observability.includeStackTraces,
    debug_payloads: observability.debugPayloads,
    embedding_readiness_probe: observability.embeddingReadinessProbe,
  };
}

const modes: readonly HealthMode[] = ['ok', 'degraded', 'dry-run'];

/** The state of the service as gauges. If a store does not answer, only its own gauge is missing. */
export async function readGauges({ service, health, vectors, dependencies }: Runtime): Promise<GaugeSample[]> {
  const { deep, tagging, encoding } = service;
  const [rows, pending, encoded] = await Promise.all([
    numberOr(vectors.store.count()),
    pendingChunks({ service }),
    deep === undefined ? undefined : numberOr(service.records.messageVectors.count(deep.model)),
  ]);
  const tokenizer = health.report().health.tokenizer;
  return [
    ...modes.map((mode): GaugeSample => {
      return { name: 'memory_health_mode', labels: { mode }, value: mode === health.mode() ? 1 : 0 };
    }),
    { name: 'memory_tokenizer_enabled', labels: {}, value: tokenizer.tokenizer_used === tokenizer.encoding ? 1 : 0 },
    { name: 'memory_queued_chunks', labels: {}, value: service.vectors.waiting() },
    ...Object.entries(dependencies.state()).map(([dependency, { circuit }]): GaugeSample => {
      return { name: 'memory_circuit_open', labels: { dependency }, value: circuit === 'closed' ? 0 : 1 };
    }),
    ...sample('memory_vector_rows', rows, { provider: vectors.provider }),
    ...sample('memory_pending_chunks', pending, {}),
    ...sample('memory_waiting_conversations', tagging?.waiting(), { work: 'tagging' }),
    ...sample('memory_waiting_conversations', encoding?.waiting(), { work: 'encoding' }),
    ...sample('memory_encoded_conversations', encoded, {}),
  ];
}

function sample(name: GaugeSample['name'], value: number | undefined, labels: GaugeSample['labels']): GaugeSample[] {
  return value === undefined ? [] : [{ name, labels, value }];
}

/** Undefined when the store does not answer in time. */
export function pendingChunks({ service }: Pick<Runtime, 'service'>): Promise<number | undefined> {
  return numberOr(service.records.chunks.countInState('pending'));
}

/** Collectors do not wait long; a gauge that takes longer is left out. */
const patience = 2_000;

async function numberOr(asking: Promise<number>): Promise<number | undefined> {
  // The failure shows in /ready and in the logs; a missing gauge is better than an invented value.
  return within(patience, asking).catch(() => undefined);
}

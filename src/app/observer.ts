import { randomUUID } from 'node:crypto';
import { secretsOf } from '../config/redact.js';
import { textRedactor } from '../config/redact-text.js';
import type { Config } from '../config/schema.js';
import { createLogger, openLogFile } from '../observability/logger.js';
import { createMetrics, type Metrics } from '../observability/metrics.js';
import type { LogLevel, Observer } from '../observability/observer.js';
import { openTelemetry, type Telemetry } from '../observability/telemetry.js';
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

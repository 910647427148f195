import { secretsOf } from '../config/redact.js';
import { textRedactor } from '../config/redact-text.js';
import type { Config } from '../config/schema.js';
import { openLogFile } from '../observability/log-file.js';
import { createLogger } from '../observability/logger.js';
import { createMetrics, type Metrics } from '../observability/metrics.js';
import type { LogLevel, Observer } from '../observability/observer.js';

export interface OpenObserver {
  observer: Observer;
  metrics: Metrics;
  close(): Promise<void>;
}

/** Logs go to standard error; a server also keeps them in `paths.logs_dir`. */
export function openObserver(config: Config, options: { toFile: boolean; level?: LogLevel }): OpenObserver {
  const { observability } = config;
  const metrics = createMetrics();
  const file = options.toFile ? openLogFile(config.paths.logs_dir) : undefined;
  const log = createLogger({
    level: options.level ?? observability.log_level,
    format: observability.log_format,
    includeStackTraces: observability.include_stack_traces,
    service: observability.service_name,
    environment: observability.environment,
    redact: textRedactor(secretsOf(config)),
    now: () => new Date().toISOString(),
    write(line) {
      process.stderr.write(`${line}\n`);
      file?.write(line);
    },
  });
  return {
    observer: { log, count: metrics.count, duration: metrics.duration },
    metrics,
    close: async () => file?.close(),
  };
}

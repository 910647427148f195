import type { GaugeSample, Metrics } from './metrics.js';
import type { HistogramName, Labels, Observer } from './observer.js';
import {
  createExporter,
  type ExporterState,
  metricsRequest,
  type Protocol,
  type Resource,
  type Send,
  senderFor,
  traceRequest,
} from './otlp/exporter.js';
import { createSpans, type Span } from './request-context.js';

interface Target {
  endpoint: string;
  protocol: Protocol;
}

export interface TelemetrySettings {
  resource: Resource;
  tracing?: Target & { sampleRatio: number };
  metrics?: Target & { pauseMs: number };
}

export interface Telemetry {
  /** Receives every duration and turns it into a span. */
  duration(metric: HistogramName, milliseconds: number, labels: Labels): void;
  /** Sets the source of the gauges, once the service is open. */
  readGauges(read: () => Promise<GaugeSample[]>): void;
  state(): { tracing?: ExporterState; metrics?: ExporterState };
  /** Sends the remaining items. Idempotent. */
  close(): Promise<void>;
}

/** Sends spans and metrics to a collector in the background. Failures are counted and logged, never thrown. */
export function openTelemetry(
  { resource, tracing, metrics: target }: TelemetrySettings,
  { metrics, log }: { metrics: Metrics; log: Observer['log'] },
): Telemetry {
  const started = Date.now();
  let closing: Promise<unknown> | undefined;
  let gauges: () => Promise<GaugeSample[]> = async () => [];
  const failed = (signal: string) => (error: unknown) => log('warn', 'telemetry_export_failed', { signal }, error);
  const spans =
    tracing &&
    createExporter<Span>({
      send: senderFor('traces', tracing),
      encode: (items) => traceRequest(resource, items),
      onFailure: failed('traces'),
      pauseMs: 1_000,
    });
  const note = spans && createSpans({ sampleRatio: tracing.sampleRatio, now: Date.now, add: spans.add });
  const reports =
    target &&
    reporter({
      send: senderFor('metrics', target),
      pauseMs: target.pauseMs,
      onFailure: failed('metrics'),
      async read() {
        const now = Date.now();
        return metricsRequest(resource, { snapshot: metrics.snapshot(), gauges: await gauges(), started, now });
      },
    });
  return {
    duration: (metric, milliseconds, labels) => note?.(metric, milliseconds, labels),
    readGauges(read) {
      gauges = read;
    },
    state: () => ({ ...(spans && { tracing: spans.state() }), ...(reports && { metrics: reports.state() }) }),
    async close() {
      closing ??= Promise.all([spans?.close(), reports?.close()]);
      await closing;
    },
  };
}

interface ReporterParts {
  send: Send;
  read: () => Promise<Uint8Array>;
  onFailure: (error: unknown) => void;
  pauseMs: number;
}

/** Metrics are cumulative, so the next report makes up for a lost one. */
function reporter({ send, read, onFailure, pauseMs }: ReporterParts) {
  const counts: ExporterState = { exported: 0, dropped: 0, failures: 0 };
  let sending: Promise<void> | undefined;

  async function report(): Promise<void> {
    try {
      await send(await read());
      counts.exported += 1;
      delete counts.error_type;
    } catch (error) {
      counts.failures += 1;
      if (counts.error_type === undefined) onFailure(error);
      counts.error_type = error instanceof Error ? error.name : 'unknown';
    }
  }

  function begin(): Promise<void> {
    sending ??= report().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  const timer = setInterval(begin, pauseMs).unref();
  return {
    state: (): ExporterState => ({ ...counts }),
    async close(): Promise<void> {
      clearInterval(timer);
      await sending;
      await report();
    },
  };
}

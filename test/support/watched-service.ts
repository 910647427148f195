import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClientConnections } from '../../src/app/client-connections.js';
import { openMcpEndpoint } from '../../src/app/mcp.js';
import { observabilityReport, readGauges } from '../../src/app/observer.js';
import { openRuntime } from '../../src/app/open-runtime.js';
import { doorSettings } from '../../src/app/serve.js';
import { settingsOf } from '../../src/config/load.js';
import { secretsOf, textRedactor } from '../../src/config/redact.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createHttpApp } from '../../src/http/app.js';
import { createLogger, type Log } from '../../src/observability/logger.js';
import { createMetrics, prometheusText } from '../../src/observability/metrics.js';
import type { LogLevel } from '../../src/observability/observer.js';
import { openTelemetry } from '../../src/observability/telemetry.js';
import { configIn } from './service.js';

const levels: LogLevel[] = ['debug', 'info', 'warn', 'error'];
const formats = ['text', 'json'] as const;

interface Collectors {
  http: string;
  grpc: string;
}

/**
 * The real service whose every word is caught: the log at each level in each format, spans and metrics on their way to
 * collectors of both protocols, and the pages that tell of it.
 */
export async function aWatchedService(overrides: ConfigInput, collectors: Collectors) {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-watched-'));
  const config = await configIn(folder, overrides);
  const metrics = createMetrics();
  const lines: string[] = [];
  const logs: Log[] = levels.flatMap((level) =>
    formats.map((format) =>
      createLogger({
        level,
        format,
        includeStackTraces: true,
        service: 'threadkeep',
        environment: 'test',
        payloads: false,
        traces: true,
        write: (line) => lines.push(line),
        redact: textRedactor(secretsOf(config)),
        now: () => new Date().toISOString(),
      }),
    ),
  );
  const log: Log = (...event) => {
    for (const each of logs) each(...event);
  };
  const resource = { serviceName: 'threadkeep', serviceVersion: '0', environment: 'test', instanceId: 'watched' };
  const target = (protocol: 'grpc' | 'http/protobuf') => ({
    protocol,
    endpoint: protocol === 'grpc' ? collectors.grpc : collectors.http,
  });
  const telemetries = [
    { tracing: target('http/protobuf'), metrics: target('grpc') },
    { tracing: target('grpc'), metrics: target('http/protobuf') },
  ].map(({ tracing, metrics: measured }) =>
    openTelemetry(
      { resource, tracing: { ...tracing, sampleRatio: 1 }, metrics: { ...measured, pauseMs: 1_000 } },
      { metrics, log },
    ),
  );
  const observer = {
    log,
    count: metrics.count,
    duration(...[name, milliseconds, labels = {}]: Parameters<typeof metrics.duration>) {
      metrics.duration(name, milliseconds, labels);
      for (const telemetry of telemetries) telemetry.duration(name, milliseconds, labels);
    },
  };
  const runtime = await openRuntime({ config, observer, purpose: 'serve' });
  for (const telemetry of telemetries) telemetry.readGauges(() => readGauges(runtime));
  const mcp = openMcpEndpoint(config, runtime, observer);
  const [first] = telemetries;
  if (first === undefined) throw new Error('no telemetry');
  const observing = { observer, metrics, telemetry: first, close: async () => {} };
  const app = createHttpApp({
    service: runtime.service,
    callers: runtime.access.callers,
    observer,
    mcp,
    version: '0',
    settings: doorSettings(config),
    health: runtime.health.live,
    ready: runtime.health.ready,
    observability: (shown) => observabilityReport(config, runtime, observing, { ...shown, history: [] }),
    config: () => ({ status: 'ok', settings: settingsOf(config, undefined) }),
    clients: createClientConnections({ config, configFile: undefined, mcp, ownUrl: () => 'http://127.0.0.1:8000' }),
    metrics: async () => prometheusText(metrics.snapshot(), await readGauges(runtime)),
  });
  let closing: Promise<void> | undefined;
  async function end(): Promise<void> {
    await mcp.close();
    await Promise.all(telemetries.map((telemetry) => telemetry.close()));
    await runtime.close();
    await rm(folder, { recursive: true, force: true });
  }
  const close = (): Promise<void> => {
    closing ??= end();
    return closing;
  };
  onTestFinished(close);
  return { app, runtime, lines, close };
}

export type WatchedService = Awaited<ReturnType<typeof aWatchedService>>;

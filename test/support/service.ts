import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClientConnections } from '../../src/app/client-connections.js';
import type { Around } from '../../src/app/dependencies.js';
import { openMcpEndpoint } from '../../src/app/mcp.js';
import { readGauges } from '../../src/app/observer.js';
import { metadataPath } from '../../src/app/open-metadata.js';
import { openRuntime } from '../../src/app/open-runtime.js';
import { doorSettings } from '../../src/app/serve.js';
import { localPrincipal } from '../../src/auth/access.js';
import { loadConfig, settingsOf } from '../../src/config/load.js';
import { secretsOf, textRedactor } from '../../src/config/redact.js';
import type { Config, ConfigInput } from '../../src/config/schema.js';
import { createHttpApp } from '../../src/http/app.js';
import { memoryScopes, type Principal } from '../../src/model/access.js';
import { createLogger } from '../../src/observability/logger.js';
import { createMetrics, prometheusText } from '../../src/observability/metrics.js';
import type { AskOutput } from '../../src/operations/ask/shapes.js';
import type { InsertOutcome } from '../../src/operations/insert/outcome.js';
import type { SearchOutput } from '../../src/operations/search/shapes.js';
import { operations } from '../../src/operations/table.js';
import type { MetadataStore } from '../../src/stores/metadata/contract.js';
import { recycledStore } from './recycled-store.js';

export type Body = Record<string, unknown>;
export type SearchItem = SearchOutput['results'][number];

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

export type TestService = Awaited<ReturnType<typeof startService>>;

interface StartOptions {
  /** An existing folder, to start again on what was stored; the caller removes it. */
  folder?: string;
  /** The clock of MCP sessions. */
  now?: () => number;
  /** As if bound to another address than loopback. */
  exposed?: boolean;
  /** Around the raw stores and the embedder: see faults/. */
  around?: Around;
  /** For a test that looks into the folder: its metadata is there, in a file of its own. */
  inFolder?: boolean;
}

/** A folder of its own that is gone after the test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function configIn(folder: string, overrides: ConfigInput = {}): Promise<Config> {
  const providers = { vector_db: 'memory', ...overrides.providers } as const;
  // Tests of the rules run without the models, which have tests of their own.
  const models = { reader: false, tagger: false, deep_index: false, ...overrides.models };
  const { config } = await loadConfig({ cwd: folder, environment: {}, flags: { ...overrides, models, providers } });
  return config;
}

/**
 * The real service on a temporary folder, without a socket. Vectors are in memory unless the overrides say otherwise;
 * log lines are caught instead of printed.
 */
export async function startService(overrides: ConfigInput = {}, options: StartOptions = {}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'threadkeep-test-')));
  const config = await configIn(folder, overrides);
  const metrics = createMetrics();
  const logLines: string[] = [];
  const log = createLogger({
    level: 'debug',
    format: 'json',
    includeStackTraces: true,
    service: 'threadkeep',
    environment: 'test',
    payloads: config.observability.debugPayloads,
    write: (line) => logLines.push(line),
    redact: textRedactor(secretsOf(config)),
    now: () => new Date().toISOString(),
  });
  const observer = { log, count: metrics.count, duration: metrics.duration };
  const { around = {} } = options;
  const recycles = options.folder === undefined && options.inFolder !== true && isPlainSqlite(config);
  const metadata = (store: MetadataStore) => {
    const used = recycles ? recycledStore() : store;
    return around.metadata?.(used) ?? used;
  };
  const runtime = await openRuntime({ config, observer, purpose: 'serve', around: { ...around, metadata } });
  const { service, health } = runtime;
  const mcp = config.interfaces.mcp ? openMcpEndpoint(config, runtime, observer, options.now) : undefined;
  const app = createHttpApp({
    service,
    callers: runtime.access.callers,
    ...(runtime.access.oauth === undefined ? {} : { oauth: runtime.access.oauth }),
    observer,
    ...(mcp === undefined ? {} : { mcp }),
    version: '0.0.0-test',
    settings: { ...doorSettings(config), loopback: options.exposed !== true },
    health: health.live,
    ready: health.ready,
    observability: async ({ counters }) => (counters ? { metrics: metrics.snapshot() } : {}),
    config: () => ({ status: 'ok', settings: settingsOf(config, undefined) }),
    clients: createClientConnections({ config, configFile: undefined, mcp, ownUrl: () => 'http://127.0.0.1:8000' }),
    metrics: async () => prometheusText(metrics.snapshot(), await readGauges(runtime)),
  });

  async function send(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await app.request(path, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : { text },
    };
  }

  return {
    get folder() {
      if (recycles) throw notInFolder();
      return folder;
    },
    config: recycles ? withoutPaths(config) : config,
    app,
    runtime,
    service,
    metrics,
    logLines,
    send,

    /** A POST of JSON. */
    request: (path: string, body: unknown): Promise<Answer> =>
      send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),

    insert: (payload: unknown, principal: Principal = localPrincipal): Promise<InsertOutcome> =>
      operations.insert.execute(service, { principal, defaultSource: 'unknown' }, payload),

    search: (input: Body, principal: Principal = localPrincipal): Promise<SearchOutput> =>
      operations.search.execute(service, { principal, defaultSource: 'unknown' }, input),

    ask: (input: Body, principal: Principal = localPrincipal): Promise<AskOutput> =>
      operations.ask.execute(service, { principal, defaultSource: 'unknown' }, input),

    /** How many points the vector store holds once everything that was added has arrived there. */
    async vectorRows(): Promise<number> {
      await service.vectors.settled();
      return runtime.vectors.store.count();
    },

    async close(): Promise<void> {
      await mcp?.close();
      await runtime.close();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function isPlainSqlite(config: Config): boolean {
  const isDefault = metadataPath(config) === join(config.paths.dataDir, 'metadata.sqlite3');
  return config.providers.metadataDb === 'sqlite' && isDefault && !config.storage.dryRun;
}

/** A test that looks for something in the folder, or for its absence, must not miss the metadata. */
function withoutPaths(config: Config): Config {
  return {
    ...config,
    get paths(): Config['paths'] {
      throw notInFolder();
    },
  };
}

function notInFolder(): Error {
  return new Error('the metadata is not in the folder of this service: start it with `inFolder: true`');
}

/** The same, closed when the test ends. */
export async function aService(overrides: ConfigInput = {}, options: StartOptions = {}): Promise<TestService> {
  const started = await startService(overrides, options);
  onTestFinished(started.close);
  return started;
}

/** A caller whose own project is this one. */
export function memberOf(projectId: string): Principal {
  return { userId: `user-of-${projectId}`, scopes: memoryScopes, defaultProjectId: projectId };
}

/** The ids of an answer in its order. */
export function idsOf(answer: { results: readonly { id: string }[] }): string[] {
  return answer.results.map(({ id }) => id);
}

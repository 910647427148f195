import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localPrincipal } from '../auth/access.js';
import { type SourceOf, settingsOf } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { isLoopback } from '../http/admission.js';
import { createHttpApp } from '../http/app.js';
import type { DoorParts } from '../http/door.js';
import { type Listening, type ListenLimits, listen } from '../http/listen.js';
import type { ConsoleFile } from '../http/static-pages.js';
import type { Watched } from '../importers/reading/files.js';
import type { McpEndpoint } from '../mcp/endpoint.js';
import { StartupError } from '../model/errors.js';
import { prometheusText } from '../observability/metrics.js';
import type { Observer } from '../observability/observer.js';
import { watchSessions } from '../operations/imports/watch.js';
import { createClientConnections } from './client-connections.js';
import type { Around } from './dependencies.js';
import { type HealthHistory, watchHealth } from './health.js';
import { openLocalDoor } from './local-door.js';
import { type OpenObserver, observabilityReport, openObserver, pendingChunks, readGauges } from './observer.js';
import { openRuntime, type Runtime } from './open-runtime.js';
import { refuseUnsafeOAuth } from './settings.js';
import { version } from './version.js';

export interface Serving {
  url: string;
  mode: string;
  close(): Promise<void>;
}

/** Also serves commands of the same user, as long as they use the same settings. */
interface CommandDoor {
  settings: string;
  /** Where each value of the configuration came from. */
  sourceOf: SourceOf;
  /** The file the configuration was read from, if there is one. */
  configFile?: string | undefined;
  /** The assistants on this machine whose messages are stored as they arrive; absent: none. */
  watched?: (() => readonly Watched[]) | undefined;
}

/**
 * Opens the stores and the HTTP adapter. On close it stops accepting requests, finishes the accepted ones, then closes
 * the stores.
 */
export async function serve(config: Config, around: Around = {}, commands?: CommandDoor): Promise<Serving> {
  refuseUnsafeAddress(config);
  refuseUnsafeOAuth(config);
  refuseNoDoor(config);
  const observing = openObserver(config, { toFile: true, telemetry: true });
  const runtime = await openRuntime({ config, observer: observing.observer, purpose: 'serve', around });
  observing.telemetry.readGauges(() => readGauges(runtime));
  const history = watchHealth({
    mode: runtime.health.mode,
    countPending: () => pendingChunks(runtime),
    snapshot: observing.metrics.snapshot,
    now: runtime.service.now,
  });
  const mcp = config.interfaces.mcp ? openedWhenUsed(config, runtime, observing.observer) : undefined;
  let listening: Listening;
  try {
    const console = await consoleFiles(config.limits.maxTopK);
    const clients = createClientConnections({
      config,
      configFile: commands?.configFile,
      mcp,
      ownUrl: () => listening.url,
    });
    const door = doorOf(config, runtime, observing, { mcp, console, clients, history, sourceOf: commands?.sourceOf });
    listening = await listen(door, { host: config.api.host, port: config.api.port }, listenLimits(config));
  } catch (error) {
    history.stop();
    await runtime.close();
    throw error;
  }
  const { url } = listening;
  const local =
    commands === undefined || config.storage.dryRun
      ? undefined
      : await openLocalDoor({ config, runtime, observer: observing.observer, url, settings: commands.settings });
  const watching = commands?.watched === undefined ? undefined : startWatching(runtime, observing, commands.watched);
  const mode = runtime.health.mode();
  observing.observer.log('info', 'server_started', { url: listening.url, mode, version });
  return {
    url: listening.url,
    mode,
    async close() {
      history.stop();
      // Closed first, because its streams would keep the listener open.
      await mcp?.close();
      await local?.close();
      await watching?.stop();
      await listening.close();
      // Closed before the stores, because its last report queries them.
      await observing.telemetry.close();
      await runtime.close();
      observing.observer.log('info', 'server_stopped');
      await observing.close();
    },
  };
}

/** MCP and its libraries are large and many servers never use them, so they are loaded with the first request. */
function openedWhenUsed(config: Config, runtime: Runtime, observer: Observer): McpEndpoint {
  let opening: Promise<McpEndpoint> | undefined;
  let endpoint: McpEndpoint | undefined;
  async function open(): Promise<McpEndpoint> {
    const { openMcpEndpoint } = await import('./mcp.js');
    endpoint = openMcpEndpoint(config, runtime, observer);
    return endpoint;
  }
  return {
    async fetch(request, caller) {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return (await opening).fetch(request, caller);
    },
    seenFor: (userId) => endpoint?.seenFor(userId) ?? [],
    close: async () => (await opening)?.close(),
  };
}

/** Stores the messages of the assistants on this machine for the local user, until it is stopped. */
function startWatching({ service }: Runtime, { observer }: OpenObserver, watched: () => readonly Watched[]) {
  const stopping = new AbortController();
  const call = { principal: localPrincipal, defaultSource: 'cli' };
  const done = watchSessions(service, call, {
    watched,
    signal: stopping.signal,
    onReport({ imported, appended }) {
      if (imported + appended > 0) observer.log('info', 'watch_stored', { conversations: imported + appended });
    },
    onOutage: (error) => observer.log('warn', 'watch_outage', {}, error),
    // Requests are still answered.
  }).catch((error: unknown) => observer.log('error', 'watch_failed', {}, error));
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

interface DoorExtras {
  mcp: McpEndpoint | undefined;
  console: readonly ConsoleFile[];
  clients: DoorParts['clients'];
  history: HealthHistory;
  sourceOf: SourceOf | undefined;
}

function doorOf(config: Config, runtime: Runtime, observing: OpenObserver, extras: DoorExtras) {
  const { health } = runtime;
  const { mcp, console, clients, history, sourceOf } = extras;
  return createHttpApp({
    service: runtime.service,
    callers: runtime.access.callers,
    ...(runtime.access.oauth === undefined ? {} : { oauth: runtime.access.oauth }),
    observer: observing.observer,
    version,
    settings: doorSettings(config),
    ...(mcp === undefined ? {} : { mcp }),
    console: config.interfaces.api ? console : [],
    health: health.live,
    ready: health.ready,
    observability: (shown) => observabilityReport(config, runtime, observing, { ...shown, history: history.samples() }),
    config: () => ({ status: 'ok', settings: settingsOf(config, sourceOf) }),
    clients,
    metrics: async () => prometheusText(observing.metrics.snapshot(), await readGauges(runtime)),
  });
}

/** Maps the configuration to the HTTP adapter's settings. */
export function doorSettings(config: Config): DoorParts['settings'] {
  const { perToken, perAddress } = config.api.rateLimits;
  const base = config.api.publicBaseUrl;
  return {
    api: config.interfaces.api,
    corsOrigins: config.api.corsAllowOrigins,
    requestIdHeader: config.observability.requestIdHeader,
    accessLogs: config.observability.accessLogs,
    maxBodyBytes: config.limits.maxBodyBytes,
    maxImportBytes: config.limits.maxImportBytes,
    debugPayloads: config.observability.debugPayloads,
    loopback: isLoopback(config.api.host),
    maxConcurrentRequests: config.limits.maxConcurrentRequests,
    maxPublicRequests: config.limits.maxPublicRequests,
    maxPublicRequestsPerAddress: config.limits.maxPublicRequestsPerAddress,
    publicBodyTimeoutMs: config.limits.publicBodyTimeoutMs,
    trustForwardedFor: config.api.trustForwardedFor,
    ...(limitsRates(config) ? { rateLimits: { perToken, perAddress } } : {}),
    // Behind a proxy, Host carries the public name. Without authentication that name is not accepted.
    ...(base === undefined || config.api.auth === 'none' ? {} : { publicOrigin: new URL(base).origin }),
  };
}

/** On loopback all requests come from the same person, so they are not rate-limited. */
function limitsRates({ api }: Config): boolean {
  const { enabled } = api.rateLimits;
  return enabled === 'on' || (enabled === 'auto' && !isLoopback(api.host));
}

function listenLimits({ limits }: Config): ListenLimits {
  return {
    maxHeaderBytes: limits.maxHeaderBytes,
    headersTimeout: limits.headerTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    responseTimeout: limits.responseTimeoutMs,
    maxConnections: limits.maxConnections,
  };
}

function refuseUnsafeAddress(config: Config): void {
  if (config.api.auth !== 'none' || isLoopback(config.api.host)) return;
  throw new StartupError(
    'unsafe_address',
    `Without authentication the server refuses to listen on ${config.api.host}.`,
    {
      hint: 'Set api.auth: bearer_token and create a token with `threadkeep admin`, or use 127.0.0.1 (the default).',
    },
  );
}

function refuseNoDoor(config: Config): void {
  if (config.interfaces.api || config.interfaces.mcp) return;
  throw new StartupError(
    'config_invalid',
    'interfaces.api and interfaces.mcp are both false: there is nothing to serve.',
    {
      hint: 'Set one of them to true; the command line works without a server.',
    },
  );
}

const built = fileURLToPath(new URL('../console', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The console files built next to the service; empty when only the service was built. The page receives the maximum
 * number of results it may request.
 */
async function consoleFiles(mostResults: number): Promise<ConsoleFile[]> {
  if (!existsSync(built)) return [];
  const entries = await readdir(built, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({
      path: `/${relative(built, path).split(sep).join('/')}`,
      type: types[extname(path)] ?? 'application/octet-stream',
      content: path.endsWith('.html') ? await pageFor(path, mostResults) : new Uint8Array(await readFile(path)),
    })),
  );
}

async function pageFor(path: string, mostResults: number): Promise<Uint8Array<ArrayBuffer>> {
  const page = await readFile(path, 'utf8');
  return new Uint8Array(Buffer.from(page.replace(/data-most-results="\d+"/, `data-most-results="${mostResults}"`)));
}

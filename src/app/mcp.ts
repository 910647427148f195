import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextEventLoopPass } from 'node:timers/promises';
import type { Config } from '../config/schema.js';
import { createEndpoint, type McpEndpoint, principalOf } from '../mcp/endpoint.js';
import { memorySurface } from '../mcp/memory-surface.js';
import { createServer } from '../mcp/server.js';
import { createExchanges, serveOverStdio } from '../mcp/transport.js';
import type { Principal } from '../model/access.js';
import { StartupError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import { isUnused } from './data-folder.js';
import { openObserver, readGauges } from './observer.js';
import { openRuntime, type Runtime } from './open-runtime.js';
import { version } from './version.js';

/** Creates the MCP endpoint of an open runtime, for the HTTP adapter to mount. */
export function openMcpEndpoint(
  config: Config,
  runtime: Pick<Runtime, 'service' | 'health'>,
  observer: Observer,
  now: () => number = Date.now,
): McpEndpoint {
  return createEndpoint({
    createServer: mcpServers(config, runtime, observer),
    settings: {
      maxSessions: config.mcp.maxSessions,
      // Without authentication all callers are the same user.
      maxSessionsPerUser: config.api.auth === 'none' ? config.mcp.maxSessions : config.mcp.maxSessionsPerUser,
      sessionIdleMs: config.mcp.sessionIdleSeconds * 1_000,
      maxBodyBytes: config.limits.maxBodyBytes,
    },
    observer,
    now,
  });
}

/** Creates a server for each session or request; tools and resources are built once. */
function mcpServers(
  config: Config,
  { service, health }: Pick<Runtime, 'service' | 'health'>,
  observer: Observer,
  begin?: () => () => void,
  /** Over stdio: the user this process was started for; by default the local user. */
  startedFor?: Principal,
) {
  const { accessLogs, debugPayloads } = config.observability;
  const settings = { accessLogs, debugPayloads };
  const surface = memorySurface({ service, health: health.live, observer, settings });
  const listPageSize = config.mcp.listPageSize;
  const given = {
    version,
    listPageSize,
    observer,
    principalOf: startedFor === undefined ? principalOf : () => startedFor,
    ...(begin === undefined ? {} : { begin }),
  };
  return () => createServer(surface, given);
}

export interface StdioOptions {
  input: Readable;
  output: Writable;
  /** Requests shutdown, like the client closing its side. */
  stop: AbortSignal;
  /** The token of the user the client acts for; without one, the local user. */
  token?: string | undefined;
}

/** How long shutdown waits for unfinished calls. */
const patience = 10_000;

/**
 * Serves one client over a pair of streams until it disconnects. The data folder may be shared with a running server:
 * both stores support several processes. Leftover indexing work is done here only if no other process uses the folder.
 */
export async function serveOnStdio(config: Config, { input, output, stop, token }: StdioOptions): Promise<void> {
  if (!config.interfaces.mcp) {
    throw new StartupError('config_invalid', 'MCP is disabled: interfaces.mcp is false.', {
      hint: 'Set interfaces.mcp to true to serve it.',
    });
  }
  const observing = openObserver(config, { toFile: false, telemetry: true });
  const { observer } = observing;
  const alone = config.storage.dryRun || isUnused(config.paths.dataDir);
  const runtime = await openRuntime({ config, observer, purpose: 'command', reads: true });
  observing.telemetry.readGauges(() => readGauges(runtime));
  try {
    const authorization = token === undefined ? undefined : `Bearer ${token.trim()}`;
    const startedFor =
      authorization && (await runtime.access.tokens.identify({ authorization, tokenInAddress: false }));
    if (alone) runtime.service.indexer.poke();
    const exchanges = createExchanges();
    // The SDK drops requests in progress when its input ends, so the end is forwarded only once none are left.
    const messages = new PassThrough();
    const session = serveOverStdio({
      createServer: mcpServers(config, runtime, observer, exchanges.begin, startedFor || undefined),
      observer,
      maxMessageBytes: config.limits.maxBodyBytes,
      input: messages,
      output,
    });
    input.pipe(messages, { end: false });
    observer.log('debug', 'mcp_stdio_started', { mode: runtime.health.mode() });
    await ended(input, output, stop);
    // A message read together with the end of input starts in the next pass of the event loop.
    await nextEventLoopPass();
    await Promise.race([exchanges.idle(), delay(patience, undefined, { ref: false })]);
    await nextEventLoopPass();
    await session.close();
  } finally {
    await observing.telemetry.close();
    await runtime.close();
  }
}

function ended(input: Readable, output: Writable, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => resolve();
    input.once('end', done).once('close', done).once('error', done);
    output.once('error', done);
    stop.addEventListener('abort', done, { once: true });
    if (stop.aborted) done();
  });
}

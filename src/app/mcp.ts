import type { Config } from '../config/schema.js';
import { createEndpoint, type McpEndpoint, principalOf } from '../mcp/endpoint.js';
import { memorySurface } from '../mcp/memory-surface.js';
import { createServer } from '../mcp/server.js';
import type { Principal } from '../model/access.js';
import type { Observer } from '../observability/observer.js';
import type { Runtime } from './open-runtime.js';
import { version } from './version.js';

/** The MCP endpoint over an opened runtime, for the HTTP door to mount. */
export function openMcpEndpoint(
  config: Config,
  runtime: Pick<Runtime, 'service' | 'health'>,
  observer: Observer,
  now: () => number = Date.now,
): McpEndpoint {
  return createEndpoint({
    createServer: mcpServers(config, runtime, observer),
    settings: {
      maxSessions: config.mcp.max_sessions,
      // Without authentication everybody is the same user.
      maxSessionsPerUser: config.api.auth === 'none' ? config.mcp.max_sessions : config.mcp.max_sessions_per_user,
      sessionIdleMs: config.mcp.session_idle_seconds * 1_000,
      maxBodyBytes: config.limits.max_body_bytes,
    },
    observer,
    now,
  });
}

/** Makes a server for each session or request; what they offer is made once. */
export function mcpServers(
  config: Config,
  { service, health }: Pick<Runtime, 'service' | 'health'>,
  observer: Observer,
  begin?: () => () => void,
  /** Over stdio: for whom the process was started; default the local user. */
  startedFor?: Principal,
) {
  const { access_logs: accessLogs, debug_payloads: debugPayloads } = config.observability;
  const settings = { accessLogs, debugPayloads };
  const surface = memorySurface({ service, health: health.live, observer, settings });
  const listPageSize = config.mcp.list_page_size;
  const given = {
    version,
    listPageSize,
    observer,
    principalOf: startedFor === undefined ? principalOf : () => startedFor,
    ...(begin === undefined ? {} : { begin }),
  };
  return () => createServer(surface, given);
}

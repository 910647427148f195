import type { Callers } from '../auth/callers.js';
import type { OAuthService } from '../auth/oauth/service.js';
import type { Principal } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import type { Service } from '../operations/service.js';
import type { ConsoleFile } from './static-pages.js';

/** The caller of a request; the token id is present only with a token. */
export interface Caller {
  principal: Principal;
  tokenId?: string;
}

/** The dependencies of the HTTP adapter, which translates and makes no decisions of its own. */
export interface DoorParts {
  service: Service;
  callers: Callers;
  /** The rate limit per token; absent: unlimited. */
  tokenLimit?: RateLimit;
  /** Sign-in, consent and OAuth metadata; absent unless `api.auth` is `oauth_resource_server`. */
  oauth?: OAuthService;
  observer: Observer;
  version: string;
  settings: {
    /** Whether `/memory/*` is served. */
    api: boolean;
    corsOrigins: readonly string[];
    requestIdHeader: string;
    accessLogs: boolean;
    maxBodyBytes: number;
    maxImportBytes: number;
    /** Logs request payloads for debugging: the only setting that writes user text to the log. */
    debugPayloads: boolean;
    /** Limit on concurrent requests; more are rejected. */
    maxConcurrentRequests: number;
    /** Of those, the limit for routes without a token, in total and per address. */
    maxPublicRequests: number;
    maxPublicRequestsPerAddress: number;
    /** Time limit for the body of such a request. */
    publicBodyTimeoutMs: number;
    /** Requests per minute; absent: unlimited. */
    rateLimits?: { perToken: number; perAddress: number };
    /** Behind our own proxy: `X-Forwarded-For` names the client. */
    trustForwardedFor: boolean;
    /** Bound to loopback only: Host and Origin are then checked. */
    loopback: boolean;
    /** Our own origin as browsers see it, if configured. */
    publicOrigin?: string;
  };
  /** The console's pages at `/`; without them `/` redirects to `/docs`. */
  console?: readonly ConsoleFile[];
  /** The MCP endpoint; absent when `interfaces.mcp` is off. It formats its own errors, as JSON-RPC. */
  mcp?: { fetch(request: Request, caller: Caller): Promise<Response> };
  /** Bodies of the status pages. */
  health: () => Promise<object>;
  ready: () => Promise<{ status: 'ok' | 'unavailable' }>;
  /** Counters cover all users, so only an operator sees them. */
  observability: (shown: { counters: boolean }) => Promise<object>;
  /** Every setting with its value and source, without secrets. */
  config: () => object;
  /** The clients that can be connected to this memory. */
  clients: {
    /** The clients with a settings file, which this server can connect. */
    writable: readonly string[];
    list(userId: string): Promise<object>;
    connect(client: string): Promise<object>;
    disconnect(client: string): Promise<object>;
  };
  /** The metrics in Prometheus format. */
  metrics: () => Promise<string>;
}

interface RateLimit {
  /** Throws `rate_limited` when this key exceeds its limit. */
  take(key: string): void;
}

/** Maximum number of keys in memory; the least recently used one is evicted, which only resets its bucket. */
const mostKeys = 10_000;

/** A token bucket per key: it holds one minute's allowance and refills evenly, so bursts pass and floods do not. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  const perMillisecond = perMinute / 60_000;
  return {
    take(key) {
      const time = now();
      const known = buckets.get(key) ?? { left: perMinute, at: time };
      // A clock that was set back adds nothing.
      const filled = Math.min(perMinute, known.left + Math.max(0, time - known.at) * perMillisecond);
      buckets.delete(key);
      buckets.set(key, { left: Math.max(0, filled - 1), at: time });
      const [oldest] = buckets.keys();
      if (buckets.size > mostKeys && oldest !== undefined) buckets.delete(oldest);
      if (filled < 1) throw tooMany(Math.ceil((1 - filled) / perMillisecond / 1_000));
    },
  };
}

function tooMany(seconds: number): MemoryError {
  const fields = { retry_after: String(Math.max(1, seconds)) };
  return new MemoryError('rate_limited', 'Too many requests; wait a little and try again', { fields });
}

/** Limits concurrent requests and rejects the rest at once: queueing them would only fill the memory. */
export function createRoom(most: number): { enter(): () => void } {
  let inside = 0;
  return {
    enter() {
      if (inside >= most) {
        const fields = { retry_after: '1' };
        throw new MemoryError('rate_limited', 'The server is busy; try again in a moment', { fields });
      }
      inside += 1;
      return () => {
        inside -= 1;
      };
    },
  };
}

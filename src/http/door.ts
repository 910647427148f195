import type { Callers } from '../auth/callers.js';
import type { OAuthService } from '../auth/oauth/service.js';
import type { Principal } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import type { Service } from '../operations/service.js';
import type { ConsoleFile } from './static-pages.js';

/** Who sends a request; the token's id only where there is a token. */
export interface Caller {
  principal: Principal;
  tokenId?: string;
}

/** What the HTTP door is given. It decides nothing: it translates. */
export interface DoorParts {
  service: Service;
  callers: Callers;
  /** Counts the requests of each token; absent: nobody counts. */
  tokenLimit?: RateLimit;
  /** Sign-in, consent and OAuth metadata; absent unless `api.auth` is `oauth_resource_server`. */
  oauth?: OAuthService;
  observer: Observer;
  version: string;
  settings: {
    /** `/memory/*` exists. */
    api: boolean;
    corsOrigins: readonly string[];
    requestIdHeader: string;
    accessLogs: boolean;
    maxBodyBytes: number;
    maxImportBytes: number;
    /** Log what was sent, for finding a fault: the one setting that puts text into the log. */
    debugPayloads: boolean;
    /** Requests at a time; more are turned away. */
    maxConcurrentRequests: number;
    /** Of those, requests to routes that need no token, in all and from one address. */
    maxPublicRequests: number;
    maxPublicRequestsPerAddress: number;
    /** How long the body of such a request may take. */
    publicBodyTimeoutMs: number;
    /** Requests in a minute; absent: as many as come. */
    rateLimits?: { perToken: number; perAddress: number };
    /** Behind a proxy of our own: `X-Forwarded-For` says who calls. */
    trustForwardedFor: boolean;
    /** Bound to this machine alone: Host and Origin are then checked. */
    loopback: boolean;
    /** Our own origin as browsers see it, where that is configured. */
    publicOrigin?: string;
  };
  /** The pages of the console at `/`; without them `/` leads to `/docs`. */
  console?: readonly ConsoleFile[];
  /** The MCP endpoint; absent when `interfaces.mcp` is off. It speaks for itself: errors too are JSON-RPC. */
  mcp?: { fetch(request: Request, caller: Caller): Promise<Response> };
  /** Bodies of the status pages. */
  health: () => Promise<object>;
  ready: () => Promise<{ status: 'ok' | 'unavailable' }>;
  /** Counters are about everybody, so only an operator is shown them. */
  observability: (shown: { counters: boolean }) => Promise<object>;
  /** Every setting with its value and where it comes from, without secrets. */
  config: () => object;
  /** The programs that can be connected to this memory. */
  clients: {
    list(userId: string): Promise<object>;
    connect(client: string): Promise<object>;
    disconnect(client: string): Promise<object>;
  };
  /** The metrics as Prometheus reads them. */
  metrics: () => Promise<string>;
}

interface RateLimit {
  /** Throws `rate_limited` when this key asks too often. */
  take(key: string): void;
}

/** Keys remembered at a time; the one unused for longest makes room. Forgetting one only gives it a fresh start. */
const mostKeys = 10_000;

/** A bucket for each key: it holds a minute's worth and fills evenly, so a burst is fine and a flood is not. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  const perMillisecond = perMinute / 60_000;
  return {
    take(key) {
      const time = now();
      const known = buckets.get(key) ?? { left: perMinute, at: time };
      // A clock that was set back fills nothing and breaks nothing.
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

/** Lets so many requests in at a time and turns the others away at once: waiting ones would only fill the memory. */
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

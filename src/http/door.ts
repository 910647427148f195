import type { Callers } from '../auth/callers.js';
import type { OAuthService } from '../auth/oauth/service.js';
import type { Principal } from '../model/access.js';
import type { Observer } from '../observability/observer.js';
import type { Service } from '../operations/service.js';
import type { ConsoleFile } from './console.js';
import type { RateLimit } from './rate-limit.js';

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
  /** The metrics as Prometheus reads them. */
  metrics: () => Promise<string>;
}

import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { requireScopes } from '../auth/access.js';
import { noteDenial } from '../auth/audit.js';
import { memoryScopes, type Needs, type Principal } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import { createRateLimit, createRoom, type DoorParts } from './door.js';
import type { Access } from './routes.js';

/** Probes are answered however busy the server is. */
const alwaysIn = new Set(['/health', '/ready']);

/** Rejects an address that exceeds its rate limit, before anything else is read. */
export function countAddresses({ settings }: DoorParts): MiddlewareHandler<Variables> {
  const { perAddress } = settings.rateLimits ?? {};
  if (perAddress === undefined) return (_, next) => next();
  const addresses = createRateLimit(perAddress, Date.now);
  return async (context, next) => {
    if (!alwaysIn.has(context.req.path)) addresses.take(addressOf(context, settings.trustForwardedFor));
    await next();
  };
}

/** Returns a release function to call when the request ends; throws `rate_limited` when there is no room. */
export type Admission = (context: Context<Variables>, access: Access) => () => void;

/**
 * Limits concurrent requests. Public routes have their own limit, with a share per address, so that anonymous clients
 * who keep requests open delay only each other and never callers with a token. The other routes reject callers without
 * a token before reading the body, so they take no slot there.
 */
export function createAdmission({ settings }: DoorParts): Admission {
  const room = createRoom(settings.maxConcurrentRequests);
  const publicRoom = createRoom(settings.maxPublicRequests);
  const byAddress = new Map<string, ReturnType<typeof createRoom> & { inside: number }>();

  function enterFrom(address: string): () => void {
    const place = byAddress.get(address) ?? { ...createRoom(settings.maxPublicRequestsPerAddress), inside: 0 };
    const leave = place.enter();
    place.inside += 1;
    byAddress.set(address, place);
    return () => {
      leave();
      place.inside -= 1;
      if (place.inside === 0) byAddress.delete(address);
    };
  }

  return (context, access) => {
    if (alwaysIn.has(context.req.path)) return () => {};
    if (access !== 'public') return room.enter();
    const leaveAddress = enterFrom(addressOf(context, settings.trustForwardedFor));
    try {
      const leaveRoom = publicRoom.enter();
      return () => {
        leaveRoom();
        leaveAddress();
      };
    } catch (error) {
      leaveAddress();
      throw error;
    }
  };
}

/** The last address in the list is the one our own proxy saw; the ones before it can be forged. */
export function addressOf(context: Context<Variables>, trustForwardedFor: boolean): string {
  const forwarded = trustForwardedFor ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  if (forwarded !== undefined && forwarded !== '') return forwarded;
  const { incoming } = (context.env ?? {}) as { incoming?: IncomingMessage };
  return incoming?.socket.remoteAddress ?? 'unknown';
}

/** What the adapter stores about a request. */
export type Variables = {
  Variables: {
    requestId: string;
    failure?: unknown;
    /** The route's template, for logs and metrics: never the raw path, which a client can choose. */
    route?: string;
    access?: Access;
    /** Time limit for the body of a request without a token. */
    bodyTimeoutMs?: number;
  };
};

const anyOfMemory: Needs = [['memory:read'], ...memoryScopes.map((scope) => [scope] as const)];

/** Query parameters in which clients of other services send tokens. */
const tokenParameters = ['access_token', 'token'];

/** Identifies the caller and checks access to the route. Runs before the body is read. */
export async function authorise(
  { callers, service, tokenLimit }: DoorParts,
  context: Context<Variables>,
  access: Exclude<Access, 'public'>,
): Promise<Principal> {
  context.set('access', access);
  const principal = await callers.identify({
    authorization: context.req.header('authorization'),
    tokenInAddress: tokenParameters.some((name) => context.req.query(name) !== undefined),
  });
  if (principal.tokenId !== undefined) tokenLimit?.take(principal.tokenId);
  if (access === 'any') return principal;
  try {
    requireScopes(principal, access === 'either' ? anyOfMemory : access);
  } catch (error) {
    noteDenial(service.audit, principal, error);
    throw error;
  }
  return principal;
}

export type RouteContext = Context<Variables>;

/** A page or an API call, with its access rule. Routes cannot be added in any other way, so none can lack the rule. */
export type Route = {
  method: 'GET' | 'POST' | 'ALL';
  /** `{name}` is a path parameter. */
  path: string;
} & (
  | { access: 'public'; handle: (context: RouteContext) => Response | Promise<Response> }
  | {
      access: Exclude<Access, 'public'>;
      handle: (context: RouteContext, principal: Principal) => Response | Promise<Response>;
    }
);

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback(host: string): boolean {
  return host === '::1' || loopback.has(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Protects a server that trusts its own machine from web pages: another site can reach 127.0.0.1 through the visitor's
 * browser, either directly (its Origin) or by DNS rebinding (its own name in Host).
 */
export function checkOrigin(headers: Headers, allowedOrigins: ReadonlySet<string>, ownOrigin?: string): void {
  const host = headers.get('host');
  const isOwn = ownOrigin !== undefined && new URL(ownOrigin).host === host;
  if (host !== null && !isOwn && !isLoopback(hostName(`http://${host}`))) throw foreign('Host');
  const origin = headers.get('origin');
  if (origin === null || origin === ownOrigin || allowedOrigins.has(origin)) return;
  if (!isLoopback(hostName(origin))) throw foreign('Origin');
}

/** The browser companion's origin, from the key in companion/manifest.json. No web page can send this origin. */
export const companionOrigin = 'chrome-extension://bgofnidhhpgcjhggablcckfdjkbjnogl';

/** The companion's only permission: saving a conversation. Like any extension, it cannot read. */
export function isCompanionSaving({
  method,
  path,
  headers,
}: {
  method: string;
  path: string;
  headers: Headers;
}): boolean {
  const saves = method === 'POST' && (path === '/memory/insert' || path === '/memory/insert/');
  return saves && headers.get('origin') === companionOrigin;
}

/** Content types that a page may post across origins without a preflight. */
const unasked = new Set(['', 'text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']);

/**
 * A page on another port of this machine is another origin: its JSON requests need a preflight, which is denied.
 * Requests without a preflight are rejected here.
 */
export function refuseUnaskedPost(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  allowedOrigins: ReadonlySet<string>,
  ownOrigin?: string,
): void {
  const origin = headers.get('origin');
  if (method === 'GET' || method === 'HEAD' || origin === null) return;
  if (origin === ownOrigin || allowedOrigins.has(origin) || isSameHost(origin, headers.get('host'))) return;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (unasked.has(type)) throw foreign('Origin');
}

function isSameHost(origin: string, host: string | null): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/**
 * Rejects cross-site requests that carry no Origin: an image, a script, a followed link. Pages that could read the
 * answer send an Origin, which is checked; our own console is same-origin.
 */
export function refuseCrossSite(headers: Headers): void {
  const site = headers.get('sec-fetch-site');
  if (headers.get('origin') !== null || (site !== 'cross-site' && site !== 'same-site')) return;
  throw new MemoryError('permission_denied', 'Requests from another site are rejected; open the address directly');
}

function hostName(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? hostname : '';
}

/** The setting that allows such a request. A public host name is accepted only with authentication. */
const remedies = { Host: 'api.public_base_url, which needs api.auth', Origin: 'api.cors_allow_origins' };

function foreign(header: keyof typeof remedies): MemoryError {
  return new MemoryError(
    'permission_denied',
    `Requests with a foreign ${header} are rejected; see ${remedies[header]}`,
  );
}

/** What is read of a request of Node.js. */
export type Incoming = Pick<IncomingMessage, 'complete' | 'readableLength'> & {
  socket: Pick<IncomingMessage['socket'], 'bytesRead'>;
};

/** Slower than any network in use. */
const leastBytesPerSecond = 10_000;

/**
 * Handles a request without a token, for a service that asks for none, and gives up when its body stalls: otherwise
 * idle connections would hold every place until Node's limit, which is long enough for a large import. A short body must
 * arrive within `milliseconds`, a longer one at a steady pace. On time-out the connection is closed after the answer.
 */
export async function atPace(
  context: Pick<RouteContext, 'env' | 'header'>,
  milliseconds: number,
  handle: () => Response | Promise<Response>,
): Promise<Response> {
  const { incoming } = (context.env ?? {}) as { incoming?: Incoming };
  if (incoming === undefined || incoming.complete) return handle();
  const answer = Promise.resolve(handle());
  // It rejects when the connection ends, and by then the result is no longer used.
  answer.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    let received = incoming.socket.bytesRead;
    const look = (): void => {
      if (incoming.complete) clearInterval(timer);
      const arrived = incoming.socket.bytesRead - received;
      received += arrived;
      // Bytes that wait to be read are our delay, not the client's.
      const isLate = arrived < (leastBytesPerSecond * milliseconds) / 1_000 && incoming.readableLength === 0;
      if (incoming.complete || !isLate) return;
      context.header('connection', 'close');
      const seconds = milliseconds / 1_000;
      reject(new MemoryError('invalid_input', `The body stalled for ${seconds} seconds; send it again`));
    };
    // What arrived while the process was busy is read before it is counted.
    timer = setInterval(() => setImmediate(look), milliseconds);
  });
  try {
    return await Promise.race([answer, stalled]);
  } finally {
    clearInterval(timer);
  }
}

import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { requireScopes } from '../auth/access.js';
import { noteDenial } from '../auth/audit.js';
import { memoryScopes, type Needs, type Principal } from '../model/access.js';
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

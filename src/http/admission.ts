import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { requireScopes } from '../auth/access.js';
import { noteDenial } from '../auth/audit.js';
import { memoryScopes, type Needs, type Principal } from '../model/access.js';
import { createRateLimit, createRoom, type DoorParts } from './door.js';
import type { Access } from './routes.js';

/** Probes are answered however busy it is. */
const alwaysIn = new Set(['/health', '/ready']);

/** Turns away an address that asks too often, before anything else is looked at. */
export function countAddresses({ settings }: DoorParts): MiddlewareHandler<Variables> {
  const { perAddress } = settings.rateLimits ?? {};
  if (perAddress === undefined) return (_, next) => next();
  const addresses = createRateLimit(perAddress, Date.now);
  return async (context, next) => {
    if (!alwaysIn.has(context.req.path)) addresses.take(addressOf(context, settings.trustForwardedFor));
    await next();
  };
}

/** Answers with what to call when the request is over; throws `rate_limited` when there is no room. */
export type Admission = (context: Context<Variables>, access: Access) => () => void;

/**
 * Not more requests at a time than fit. Routes that anybody may call have a room of their own, and one address gets a
 * part of it: strangers who hold their requests open keep each other waiting and nobody who has a token. Whoever has
 * none is refused by the other routes before their body is read, so they hold no place there.
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

/** The last address of the list is the one that our own proxy saw; those before it are anybody's claim. */
export function addressOf(context: Context<Variables>, trustForwardedFor: boolean): string {
  const forwarded = trustForwardedFor ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  if (forwarded !== undefined && forwarded !== '') return forwarded;
  const { incoming } = (context.env ?? {}) as { incoming?: IncomingMessage };
  return incoming?.socket.remoteAddress ?? 'unknown';
}

/** What the door knows of a request. */
export type Variables = {
  Variables: {
    requestId: string;
    failure?: unknown;
    /** The template of the route, for logs and metrics: never the raw path, which anyone can make up. */
    route?: string;
    access?: Access;
    /** How long the body of somebody without a token may take. */
    bodyTimeoutMs?: number;
  };
};

const anyOfMemory: Needs = [['memory:read'], ...memoryScopes.map((scope) => [scope] as const)];

/** Parameters that clients of other services put tokens into. */
const tokenParameters = ['access_token', 'token'];

/** Who calls, once it is known that they may call this route. Nothing of the request's body was read before. */
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

/** A page or a call, with who may use it. There is no other way to add one, so none can be without that. */
export type Route = {
  method: 'GET' | 'POST' | 'ALL';
  /** `{name}` stands for a part of the address that is input. */
  path: string;
} & (
  | { access: 'public'; handle: (context: RouteContext) => Response | Promise<Response> }
  | {
      access: Exclude<Access, 'public'>;
      handle: (context: RouteContext, principal: Principal) => Response | Promise<Response>;
    }
);

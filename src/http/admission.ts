import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import type { Variables } from './authorise.js';
import type { DoorParts } from './door.js';
import { createRateLimit, createRoom } from './rate-limit.js';

/** Probes are answered however busy it is. */
const alwaysIn = new Set(['/health', '/ready']);

/** Who is let in at all: not more at a time than fit, and nobody who asks too often from one address. */
export function admission({ settings }: DoorParts): MiddlewareHandler<Variables> {
  const room = createRoom(settings.maxConcurrentRequests);
  const { perAddress } = settings.rateLimits ?? {};
  const addresses = perAddress === undefined ? undefined : createRateLimit(perAddress, Date.now);
  return async (context, next) => {
    if (alwaysIn.has(context.req.path)) return next();
    addresses?.take(addressOf(context, settings.trustForwardedFor));
    const leave = room.enter();
    try {
      await next();
    } finally {
      leave();
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

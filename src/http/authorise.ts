import type { Context } from 'hono';
import { requireScopes } from '../auth/access.js';
import { noteDenial } from '../auth/audit.js';
import { memoryScopes, type Needs, type Principal } from '../model/access.js';
import type { DoorParts } from './door.js';
import type { Access } from './routes.js';

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

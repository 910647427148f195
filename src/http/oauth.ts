import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { OAuthError } from '../auth/oauth/authorization.js';
import {
  authorizationServer,
  type ConnectService,
  type OAuthService,
  protectedResource,
} from '../auth/oauth/service.js';
import { MemoryError } from '../model/errors.js';
import type { Route, RouteContext } from './admission.js';
import { inTime, readBytes, readJson } from './body.js';
import type { DoorParts } from './door.js';

const largestRegistration = 65_536;

/** Client registration and the token endpoint. Errors have the format of RFC 6749. */
export function tokenRoutes(
  oauth: OAuthService,
  { clients, grants }: ConnectService,
  /** Throws `rate_limited` for an address that registers too often. */
  countRegistration: (context: RouteContext) => void,
): Route[] {
  async function token(context: RouteContext): Promise<Response> {
    const form = await readForm(context);
    for (const name of new Set(form.keys())) {
      if (form.getAll(name).length > 1) throw new OAuthError('invalid_request', `${name} was sent more than once`);
    }
    const place = placeOf(oauth, context);
    const kind = form.get('grant_type');
    if (kind === 'authorization_code') return context.json(await grants.exchange(form, place));
    if (kind === 'refresh_token') return context.json(await grants.refresh(form, place));
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }

  async function register(context: RouteContext): Promise<Response> {
    countRegistration(context);
    const client = await clients.register(await inTime(context, readJson(context.req.raw, largestRegistration)));
    const answer = {
      client_id: client.id,
      client_id_issued_at: Math.floor(Date.parse(client.created_at) / 1_000),
      client_name: client.name,
      redirect_uris: client.redirect_uris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
    return context.json(answer, 201);
  }

  async function revoke(context: RouteContext): Promise<Response> {
    await grants.revoke((await readForm(context)).get('token') ?? '');
    return context.json({});
  }

  return [
    { method: 'POST', path: '/oauth/token', access: 'public', handle: answering(token) },
    { method: 'POST', path: '/oauth/register', access: 'public', handle: answering(register) },
    { method: 'POST', path: '/oauth/revoke', access: 'public', handle: answering(revoke) },
  ];
}

const statuses: Partial<Record<OAuthError['code'], ContentfulStatusCode>> = {
  invalid_client: 401,
  temporarily_unavailable: 503,
};

function answering(handle: (context: RouteContext) => Promise<Response>): (context: RouteContext) => Promise<Response> {
  return async (context) => {
    context.header('cache-control', 'no-store');
    try {
      return await handle(context);
    } catch (error) {
      const refusal = asOAuthError(error);
      return context.json({ error: refusal.code, error_description: refusal.message }, statuses[refusal.code] ?? 400);
    }
  };
}

function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (
    error instanceof MemoryError &&
    ['invalid_input', 'unsupported_media_type', 'payload_too_large'].includes(error.code)
  ) {
    return new OAuthError('invalid_request', error.message);
  }
  throw error;
}

const resourcePath = '/.well-known/oauth-protected-resource';
const serverPath = '/.well-known/oauth-authorization-server';

/** Our own addresses as the caller sees them. */
export function placeOf(oauth: OAuthService, context: RouteContext) {
  const base = oauth.baseOf(context.req.header('host'));
  return { base, issuer: base, resource: oauth.resourceOf(base), scopes: oauth.scopes };
}

/** The discovery documents, at the root and under the MCP endpoint's path. */
export function metadataRoutes(oauth: OAuthService): Route[] {
  const resource = (context: RouteContext): Response => {
    const place = placeOf(oauth, context);
    const own = oauth.connect === undefined ? [] : [place.base];
    return context.json(protectedResource(place, [...own, ...oauth.externalServers]));
  };
  const server = (context: RouteContext): Response => context.json(authorizationServer(placeOf(oauth, context)));
  const documents: [string, (context: RouteContext) => Response][] = [
    [resourcePath, resource],
    [`${resourcePath}/mcp`, resource],
    ...(oauth.connect === undefined
      ? []
      : [serverPath, `${serverPath}/mcp`].map((path): [string, typeof server] => [path, server])),
  ];
  return documents.map(([path, handle]) => ({ method: 'GET', path, access: 'public', handle }));
}

/** For the challenge of RFC 9728, 5.1; undefined when there is no such document. */
export function resourceMetadata({ oauth }: DoorParts, context: RouteContext): string | undefined {
  if (oauth === undefined) return undefined;
  const { base } = placeOf(oauth, context);
  return `${base}${resourcePath}${context.get('route') === '/mcp' ? '/mcp' : ''}`;
}

const largestForm = 65_536;

/** The fields of a posted form. */
export async function readForm(context: RouteContext): Promise<URLSearchParams> {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new MemoryError('unsupported_media_type', 'Send a form: application/x-www-form-urlencoded');
  }
  return new URLSearchParams(new TextDecoder().decode(await inTime(context, readBytes(context.req.raw, largestForm))));
}

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { OAuthError } from '../../auth/oauth/authorization.js';
import type { ConnectService, OAuthService } from '../../auth/oauth/service.js';
import { MemoryError } from '../../model/errors.js';
import { readJson } from '../body.js';
import { inTime } from '../body-deadline.js';
import type { Request, Route } from '../route.js';
import { readForm } from './form.js';
import { placeOf } from './metadata-routes.js';

const largestRegistration = 65_536;

/** Where applications register, and exchange codes and refresh tokens. They answer in the form of RFC 6749. */
export function tokenRoutes(
  oauth: OAuthService,
  { clients, grants }: ConnectService,
  /** Throws `rate_limited` for an address that registers too often. */
  countRegistration: (context: Request) => void,
): Route[] {
  async function token(context: Request): Promise<Response> {
    const form = await readForm(context);
    for (const name of new Set(form.keys())) {
      if (form.getAll(name).length > 1) throw new OAuthError('invalid_request', `${name} is given more than once`);
    }
    const place = placeOf(oauth, context);
    const kind = form.get('grant_type');
    if (kind === 'authorization_code') return context.json(await grants.exchange(form, place));
    if (kind === 'refresh_token') return context.json(await grants.refresh(form, place));
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }

  async function register(context: Request): Promise<Response> {
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

  async function revoke(context: Request): Promise<Response> {
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

function answering(handle: (context: Request) => Promise<Response>): (context: Request) => Promise<Response> {
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

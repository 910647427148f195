import { memoryScopes, type Scope } from '../../model/access.js';
import type { ClientRow } from '../../records/account-rows.js';
import { OAuthError, type OAuthErrorCode } from './error.js';
import { matchesRegistered } from './redirect-uri.js';

/** An authorization request that may be shown to the user for consent. */
export interface AuthorizationRequest {
  client: ClientRow;
  redirectUri: string;
  state?: string;
  scopes: Scope[];
  codeChallenge: string;
}

/** An error that is returned to the client by redirecting the browser. */
export class RedirectedError extends OAuthError {
  readonly location: string;

  constructor(code: OAuthErrorCode, message: string, back: { redirectUri: string; state?: string | undefined }) {
    super(code, message);
    this.location = answerUri(back, { error: code, error_description: message });
  }
}

interface Rules {
  findClient: (id: string) => Promise<ClientRow | undefined>;
  /** The resource identifier that a token would be for. */
  resource: string;
  issuer: string;
}

/**
 * RFC 6749, 4.1.1 with PKCE. Until client and redirect address are known to belong together, nobody is sent anywhere:
 * such a request is refused on a page of ours.
 */
export async function readAuthorization(given: URLSearchParams, rules: Rules): Promise<AuthorizationRequest> {
  const once = (name: string): string | undefined => {
    const values = given.getAll(name);
    if (values.length > 1) throw new OAuthError('invalid_request', `${name} is given more than once`);
    return values[0] === '' ? undefined : values[0];
  };
  const client = await rules.findClient(once('client_id') ?? '');
  if (client === undefined) throw new OAuthError('invalid_client', 'This application is not registered here');
  const redirectUri = once('redirect_uri');
  if (redirectUri === undefined || !matchesRegistered(redirectUri, client.redirect_uris)) {
    throw new OAuthError('invalid_request', 'redirect_uri is not one that this application registered');
  }
  const state = once('state');
  const refuse = (code: OAuthErrorCode, message: string): RedirectedError =>
    new RedirectedError(code, message, { redirectUri, state });
  if (once('response_type') !== 'code') throw refuse('unsupported_response_type', 'response_type must be code');
  const codeChallenge = once('code_challenge') ?? '';
  if (once('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw refuse('invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256');
  }
  const resource = once('resource');
  if (resource !== undefined && !isResource(resource, rules)) {
    throw refuse('invalid_target', 'resource is not this service');
  }
  const scopes = scopesOf(once('scope'));
  if (scopes.length === 0) throw refuse('invalid_scope', `scope may name: ${memoryScopes.join(' ')}`);
  return { client, redirectUri, ...(state === undefined ? {} : { state }), scopes, codeChallenge };
}

/** A client may name the endpoint with a slash at its end, or the service as a whole. */
export function isResource(text: string, { resource, issuer }: Pick<Rules, 'resource' | 'issuer'>): boolean {
  return [resource, issuer].includes(text.replace(/\/$/, ''));
}

/** The requested scopes that exist. The default is read and write; `memory:manage` must be requested. */
export function scopesOf(text: string | undefined): Scope[] {
  const words = text?.split(' ') ?? ['memory:read', 'memory:write'];
  return memoryScopes.filter((scope) => words.includes(scope));
}

/** The redirect URI with the response parameters. */
export function answerUri(
  { redirectUri, state }: { redirectUri: string; state?: string | undefined },
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}

import { memoryScopes, type Scope } from '../../model/access.js';
import type { ClientRow } from '../../records/account-rows.js';

/** A validated authorization request, ready for the user's consent. */
export interface AuthorizationRequest {
  client: ClientRow;
  redirectUri: string;
  state?: string;
  scopes: Scope[];
  codeChallenge: string;
}

/** The error codes of RFC 6749, 7591 and 8707 that we use. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'temporarily_unavailable';

/** An error in OAuth's own format: a flat `error` and `error_description`, without anything the client sent. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'OAuthError';
    this.code = code;
  }
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
  /** The resource identifier the token is issued for. */
  resource: string;
  issuer: string;
}

/**
 * Validates an authorization request (RFC 6749, 4.1.1, with PKCE). Until the redirect URI is known to belong to the
 * client, errors are shown on our own page and never redirected.
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

/** Accepts the endpoint with or without a trailing slash, and the service as a whole. */
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

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** RFC 8252, 7.1: a private-use scheme is a reversed domain name, so that two applications do not choose the same. */
const privateUse = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
/** Common clients that use a short scheme instead. */
const knownSchemes = new Set(['cursor:', 'vscode:', 'vscode-insiders:']);
/** Characters allowed in a host: it is repeated in a header, where a semicolon would start another directive. */
const plainHost = /^[a-z0-9.-]*$|^\[[0-9a-f:.]+\]$/i;
const longest = 2_000;

/** Validates a redirect URI: https, http on this machine, or a private-use scheme. */
export function checkedRedirectUri(text: string): string {
  const fits = text.length <= longest && URL.canParse(text) && !/[\s\\#]/.test(text) && !text.includes('*');
  const url = fits ? new URL(text) : undefined;
  const safe =
    url !== undefined &&
    url.username === '' &&
    url.password === '' &&
    plainHost.test(url.hostname) &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && loopbackHosts.has(url.hostname)) ||
      knownSchemes.has(url.protocol) ||
      privateUse.test(url.protocol));
  if (safe) return text;
  throw new OAuthError(
    'invalid_redirect_uri',
    'A redirect_uri must be https, http on localhost, or a private-use scheme with a dot such as com.example.app, without user, fragment or wildcard',
  );
}

/**
 * Requires an exact match with a registered URI. The one exception is RFC 8252, 7.3: an application that registered a
 * loopback address without a port may use any port.
 */
export function matchesRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri) || registered.some((known) => isSameBarPort(uri, known));
}

function isSameBarPort(uri: string, known: string): boolean {
  if (!URL.canParse(uri) || !URL.canParse(known)) return false;
  const [asked, fixed] = [new URL(uri), new URL(known)];
  if (fixed.protocol !== 'http:' || fixed.port !== '' || !loopbackHosts.has(fixed.hostname)) return false;
  asked.port = '';
  return asked.href === fixed.href && asked.username === '';
}

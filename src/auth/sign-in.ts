import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { MemoryError } from '../model/errors.js';
import type { UserRow } from '../records/account-rows.js';
import { OAuthError } from './oauth/authorization.js';
import type { Handles } from './tokens.js';
import { type Administration, userOf } from './users.js';

type OpenId = typeof import('openid-client');

export interface IdentityProvider {
  enabled: boolean;
  issuer?: string | undefined;
  clientId?: string | undefined;
  clientSecret: string;
  /** Empty: everyone whom the issuer authenticates is allowed. */
  allowedEmails: readonly string[];
  allowedDomains: readonly string[];
}

export type SignIn = ReturnType<typeof createSignIn>;

interface SignInParts {
  openId: OpenId;
  providers: Readonly<Record<string, IdentityProvider>>;
  handles: Handles;
  administration: Administration;
}

/**
 * Signs users in through any OpenID Connect provider: authorization code with PKCE, state and nonce. A pending sign-in
 * is bound to the browser by a cookie and kept in the store, so that it survives a restart.
 */
export function createSignIn({ openId, providers, handles, administration }: SignInParts) {
  const discovered = new Map<string, Promise<Configuration>>();

  function settingsOf(name: string): IdentityProvider & { issuer: string; clientId: string } {
    const { enabled, issuer, clientId, ...rest } = Object.hasOwn(providers, name) ? (providers[name] ?? off) : off;
    if (!enabled || issuer === undefined || clientId === undefined) {
      throw new MemoryError('not_found', 'There is no such sign-in provider');
    }
    return { enabled, issuer, clientId, ...rest };
  }

  function configurationOf(name: string): Promise<Configuration> {
    const known = discovered.get(name);
    if (known !== undefined) return known;
    const { issuer, clientId, clientSecret } = settingsOf(name);
    const url = new URL(issuer);
    const method = clientSecret === '' ? openId.None() : openId.ClientSecretBasic(clientSecret);
    // Plain http is allowed only to this machine, for a provider in development.
    const local = url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
    const finding = openId.discovery(url, clientId, undefined, method, {
      timeout: 10,
      ...(local ? { execute: [openId.allowInsecureRequests] } : {}),
    });
    discovered.set(name, finding);
    // After a failure, the next sign-in tries again.
    finding.catch(() => discovered.delete(name));
    return finding;
  }

  function refuse(reason: string, message: string): MemoryError {
    administration.audit.count({ event: 'sign_in_refused', reason });
    return new MemoryError('permission_denied', message);
  }

  return {
    /** The URL to redirect the browser to, and the cookie that it must send back. */
    async begin(name: string, { base, returnTo }: { base: string; returnTo: string }) {
      const configuration = await reachable(() => configurationOf(name));
      const [state, nonce, verifier] = [openId.randomState(), openId.randomNonce(), openId.randomPKCECodeVerifier()];
      const location = openId.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackOf(base, name),
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openId.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const data = { provider: name, state, nonce, verifier, return_to: returnTo };
      return { location: location.href, cookie: await handles.issue('sign_in', { data }) };
    },

    /** The identity of the user who signed in. `query` is what the provider appended to the callback URL. */
    async finish(
      name: string,
      { base, query, cookie }: { base: string; query: string; cookie: string | undefined },
    ): Promise<{ user: UserRow; returnTo: string }> {
      const taken = await handles.take('sign_in', cookie);
      if (taken === undefined || taken.replayed || taken.row.data.provider !== name) {
        throw refuse('unknown_state', 'This sign-in was not started in this browser, or it expired: start again');
      }
      const { state = '', nonce = '', verifier = '', return_to: returnTo = '/connect' } = taken.row.data;
      const configuration = await reachable(() => configurationOf(name));
      const claims = await openId
        .authorizationCodeGrant(configuration, new URL(`${callbackOf(base, name)}${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        .then((answer) => answer.claims())
        .catch(() => {
          throw refuse('provider', 'The provider did not confirm this sign-in: start again');
        });
      if (claims === undefined) throw refuse('provider', 'The provider did not say who signed in');
      const email = claims.email_verified === true && typeof claims.email === 'string' ? claims.email : undefined;
      if (!isInvited(settingsOf(name), email)) throw refuse('not_invited', 'This account may not sign in here');
      const label = [claims.name, email].filter((part) => typeof part === 'string').join(', ');
      const user = await userOf(administration, { issuer: claims.iss, subject: claims.sub, label });
      if (user.disabled_at !== undefined) throw refuse('disabled', 'This account may not sign in here');
      return { user, returnTo };
    },
  };
}

const off: IdentityProvider = { enabled: false, clientSecret: '', allowedEmails: [], allowedDomains: [] };

export function callbackOf(base: string, provider: string): string {
  return `${base}/auth/${provider}/callback`;
}

/** Only verified email addresses count. */
function isInvited({ allowedEmails, allowedDomains }: IdentityProvider, email: string | undefined): boolean {
  if (allowedEmails.length === 0 && allowedDomains.length === 0) return true;
  const address = email?.toLowerCase() ?? '';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return (
    address !== '' &&
    (allowedEmails.some((each) => each.toLowerCase() === address) ||
      allowedDomains.some((each) => each.toLowerCase() === domain))
  );
}

async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    const message = 'The sign-in provider cannot be reached; try again later';
    throw new OAuthError('temporarily_unavailable', message, { cause: error });
  }
}

export type WebSessions = ReturnType<typeof createWebSessions>;

/** A signed-in browser session. */
export interface WebSession {
  user: UserRow;
  provider: string;
  /** Included in every form of our pages; other sites cannot read it (CSRF protection). */
  csrf: string;
}

export function createWebSessions({ handles, administration }: { handles: Handles; administration: Administration }) {
  const { accounts, audit } = administration;
  return {
    /** Always starts a new session and ends the one the browser sent, which prevents session fixation. */
    async start(user: UserRow, provider: string, before: string | undefined): Promise<string> {
      await handles.drop('session', before);
      const csrf = randomBytes(32).toString('base64url');
      const value = await handles.issue('session', { userId: user.id, data: { provider, csrf } });
      await audit.record({ event: 'sign_in', userId: user.id, reason: provider });
      return value;
    },

    async find(value: string | undefined): Promise<WebSession | undefined> {
      const row = await handles.look('session', value);
      const user = row?.user_id === undefined ? undefined : await accounts.user(row.user_id);
      if (row === undefined || user === undefined || user.disabled_at !== undefined) return undefined;
      return { user, provider: row.data.provider ?? '', csrf: row.data.csrf ?? '' };
    },

    async end(value: string | undefined, session: WebSession): Promise<void> {
      await handles.drop('session', value);
      await audit.record({ event: 'sign_out', userId: session.user.id });
    },
  };
}

/** Whether the form was issued to this session. */
export function isFormOf(session: WebSession, csrf: string | null): boolean {
  const [given, expected] = [Buffer.from(csrf ?? ''), Buffer.from(session.csrf)];
  return given.length === expected.length && expected.length > 0 && timingSafeEqual(given, expected);
}

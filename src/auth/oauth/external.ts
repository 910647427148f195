import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { Principal } from '../../model/access.js';
import { type Rights, unauthenticated } from '../callers.js';
import { type Administration, type Identity, userOf } from '../users.js';
import { scopesOf } from './authorization.js';

type Jose = typeof import('jose');

interface ExternalParts {
  jose: Jose;
  /** Trusted issuers, without a trailing slash. */
  issuers: readonly string[];
  /** The audience a token must have. */
  audienceOf: () => string;
  rights: Rights;
  administration: Administration;
}

const algorithms = ['RS256', 'ES256', 'EdDSA'];
/** Allowed clock skew, in seconds. */
const tolerance = 30;
const patience = 5_000;
const metadataAge = 3_600_000;

interface Issuer {
  keys: JWTVerifyGetKey;
  until: number;
}

/**
 * Verifies JWTs of other authorization servers. An issuer's metadata and keys are fetched when its first token arrives,
 * cached, and fetched again when a token names an unknown key. If an issuer is down, only its own tokens fail.
 */
export function createExternal({ jose, issuers, audienceOf, rights, administration }: ExternalParts) {
  const known = new Map<string, Promise<Issuer>>();

  async function discover(issuer: string): Promise<Issuer> {
    const { origin, pathname } = new URL(issuer);
    const path = pathname === '/' ? '' : pathname;
    const places = [
      `${issuer}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}`,
    ];
    for (const place of places) {
      const metadata = await fetchJson(place);
      if (typeof metadata?.jwks_uri !== 'string' || withoutSlash(String(metadata.issuer)) !== issuer) continue;
      const keys = jose.createRemoteJWKSet(new URL(metadata.jwks_uri), {
        timeoutDuration: patience,
        cooldownDuration: 10_000,
        cacheMaxAge: 600_000,
      });
      return { keys, until: Date.now() + metadataAge };
    }
    throw new Error('the issuer publishes no keys');
  }

  async function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const remembered = await known.get(issuer)?.catch(() => undefined);
    if (remembered !== undefined && remembered.until > Date.now()) return remembered.keys;
    const finding = discover(issuer);
    known.set(issuer, finding);
    finding.catch(() => known.delete(issuer));
    return (await finding).keys;
  }

  async function verified(token: string): Promise<JWTPayload | undefined> {
    try {
      const { iss } = jose.decodeJwt(token);
      const issuer = issuers.find((each) => each === withoutSlash(iss ?? ''));
      if (iss === undefined || issuer === undefined) return undefined;
      const checks = {
        issuer: iss,
        audience: audienceOf(),
        algorithms,
        clockTolerance: tolerance,
        requiredClaims: ['exp', 'sub', 'aud'],
      };
      return (await jose.jwtVerify(token, await keysOf(issuer), checks)).payload;
    } catch {
      // The response is the same for every failure, because naming the failed check would help a forger.
      return undefined;
    }
  }

  return {
    async identify(token: string): Promise<Principal> {
      const payload = await verified(token);
      if (payload?.sub === undefined || payload.iss === undefined) {
        administration.audit.count({ event: 'token_refused', reason: 'jwt' });
        throw unauthenticated('invalid');
      }
      const user = await userOf(administration, identityOf(payload));
      const principal = await rights.ofUser(user.id);
      if (principal === undefined) throw unauthenticated('invalid');
      const end = payload.exp === undefined ? {} : { expiresAt: payload.exp * 1_000 };
      return { ...principal, scopes: scopesIn(payload), tokenId: `${jwtPrefix}${user.id}`, ...end };
    },
  };
}

/** Prefix of token ids that stand for external JWTs. */
export const jwtPrefix = 'jwt:';

export function looksLikeJwt(token: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(token);
}

function identityOf({ iss = '', sub = '', email, name }: JWTPayload): Identity {
  const label = [name, email].find((text): text is string => typeof text === 'string');
  return { issuer: withoutSlash(iss), subject: sub, label };
}

/**
 * The scopes in `scope` as RFC 9068 defines it, or in the lists that some servers send instead. Without either, the
 * token has no scopes.
 */
function scopesIn(payload: JWTPayload) {
  const { scope, scp, scopes } = payload;
  const lists = [scp, scopes].filter(Array.isArray).flat();
  const text = [scope, scp].find((each): each is string => typeof each === 'string') ?? lists.map(String).join(' ');
  return scopesOf(text);
}

async function fetchJson(url: string): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patience), redirect: 'error' });
    return response.ok ? ((await response.json()) as Record<string, unknown>) : undefined;
  } catch {
    // The next address is tried; if none answers, the token cannot be verified.
    return undefined;
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

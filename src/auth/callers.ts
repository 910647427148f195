import type { Principal } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import type { TokenRow, UserRow } from '../records/account-rows.js';
import type { AccountRecords } from '../records/accounts.js';
import { localPrincipal } from './access.js';
import type { Audit } from './audit.js';
import { hashToken, tokenSyntax } from './tokens.js';

/** The credentials in a request. */
interface Credentials {
  /** The raw Authorization header. */
  authorization: string | undefined;
  /** The URL contains something that looks like a token. */
  tokenInAddress: boolean;
}

/** Authenticates callers for every adapter; no adapter reads a token itself. */
export interface Callers {
  /** False: every caller is the local user. */
  proofNeeded: boolean;
  /** Throws `unauthenticated`. */
  identify(credentials: Credentials): Promise<Principal>;
  /** Changes whenever any user's rights may have changed. */
  version(): Promise<string>;
  /** False if the token is revoked or its user disabled. Does not check expiry. */
  stillKnown(principal: Principal): Promise<boolean>;
}

/** `api.auth: none`. */
export const everyoneIsLocal: Callers = {
  proofNeeded: false,
  identify: async () => localPrincipal,
  version: async () => '',
  stillKnown: async () => true,
};

interface BearerParts {
  rights: Rights;
  use: TokenUse;
  audit: Audit;
  now: () => string;
}

/** `api.auth: bearer_token`: tokens that this service created or imported. */
export function bearerCallers({ rights, use, audit, now }: BearerParts): Callers {
  return {
    proofNeeded: true,
    async identify(credentials) {
      const token = readToken(credentials);
      if ('reason' in token) {
        if (token.reason !== 'missing') audit.count({ event: 'token_refused', reason: token.reason });
        throw unauthenticated(token.reason);
      }
      const known = await rights.ofTokenHash(hashToken(token.value));
      if (known === undefined || isPast(known.token.expires_at, now())) {
        const { user_id: userId, id: tokenId } = known?.token ?? {};
        audit.count({ event: 'token_refused', userId, tokenId, reason: known === undefined ? 'unknown' : 'expired' });
        throw unauthenticated('invalid');
      }
      use.used(known.token);
      return known.principal;
    },
    version: rights.version,
    stillKnown: async ({ tokenId = '' }) => rights.isAlive(tokenId),
  };
}

/** Compared as times, not as text, so that an unexpected format cannot keep a token alive. */
function isPast(expiry: string | undefined, now: string): boolean {
  return expiry !== undefined && !(Date.parse(expiry) > Date.parse(now));
}

/** Longer values are rejected unread: no token of ours, and no JWT we accept, is this long. */
const longestToken = 8_192;

export function readToken({
  authorization,
  tokenInAddress,
}: Credentials): { value: string } | { reason: Exclude<RefusalReason, 'invalid'> } {
  if (tokenInAddress) return { reason: 'in_address' };
  if (authorization === undefined) return { reason: 'missing' };
  const [, value = ''] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  if (value.length > longestToken || !tokenSyntax.test(value)) return { reason: 'malformed' };
  return { value };
}

/** Why authentication failed, in the terms of RFC 6750; `missing` is not one of its errors. */
type RefusalReason = 'missing' | 'malformed' | 'in_address' | 'invalid';

const messages: Record<RefusalReason, string> = {
  missing: 'This call needs a token: send the header Authorization: Bearer <token>',
  malformed: 'The header must read: Authorization: Bearer <token>',
  in_address: 'A token in the URL is rejected, because URLs are logged: send it in the Authorization header',
  invalid: 'The token is unknown, expired or revoked',
};

/** The same response for every invalid token, so that callers cannot tell which ones were once valid. */
export function unauthenticated(reason: RefusalReason): MemoryError {
  const error = challengeErrors[reason];
  return new MemoryError('unauthenticated', messages[reason], {
    fields: error === undefined ? {} : { auth_error: error },
  });
}

const challengeErrors: Record<RefusalReason, string | undefined> = {
  missing: undefined,
  malformed: 'invalid_request',
  in_address: 'invalid_request',
  invalid: 'invalid_token',
};

type TokenUse = ReturnType<typeof createTokenUse>;

interface TokenUseParts {
  accounts: AccountRecords;
  audit: Audit;
  observer: Observer;
  now: () => string;
  later: (run: () => void) => () => void;
}

/** Precision of "last used". */
const grain = 60_000;

/**
 * Records when tokens were last used, in the background and at most once a minute each, so that a read does not cost a
 * write.
 */
export function createTokenUse({ accounts, audit, observer, now, later }: TokenUseParts) {
  const noted = new Map<string, number>();
  const waiting = new Map<string, string>();
  const firsts = new Map<string, TokenRow>();
  let callOff: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function save(times: ReadonlyMap<string, string>, firstUses: readonly TokenRow[]): Promise<void> {
    await accounts.noteUse(times);
    for (const { id, user_id } of firstUses) {
      await audit.recordOnce(`first:${id}`, { event: 'token_first_used', userId: user_id, tokenId: id });
    }
  }

  function write(): void {
    callOff?.();
    callOff = undefined;
    const times = new Map(waiting);
    const firstUses = [...firsts.values()];
    waiting.clear();
    firsts.clear();
    writing = writing
      .then(() => save(times, firstUses))
      .catch((error: unknown) => observer.log('warn', 'token_use_not_noted', { tokens: times.size }, error));
  }

  return {
    used(token: TokenRow): void {
      const time = now();
      const moment = Date.parse(time);
      if (moment - (noted.get(token.id) ?? 0) < grain) return;
      if (token.last_used_at === undefined && !noted.has(token.id)) firsts.set(token.id, token);
      noted.set(token.id, moment);
      waiting.set(token.id, time);
      callOff ??= later(write);
    },

    async flush(): Promise<void> {
      if (waiting.size > 0) write();
      await writing;
    },
  };
}

export type Rights = ReturnType<typeof createRights>;

interface Known {
  principal: Principal;
  token: TokenRow;
}

const mostRemembered = 10_000;

/**
 * Resolves a token to its user and rights. That takes several look-ups, so results are cached for as long as the
 * version of the accounts stays the same. The version is checked on every request, so a revocation by another process
 * takes effect with the next request.
 */
export function createRights(accounts: AccountRecords) {
  let version = '';
  const remembered = new Map<string, Known>();
  const people = new Map<string, Principal>();

  /** Clears the cache when accounts have changed. */
  async function refresh(): Promise<string> {
    const current = await accounts.version();
    if (current !== version || remembered.size >= mostRemembered || people.size >= mostRemembered) {
      remembered.clear();
      people.clear();
    }
    version = current;
    return current;
  }

  async function load(hash: string): Promise<Known | undefined> {
    const token = await accounts.tokenByHash(hash);
    if (token === undefined || token.revoked_at !== undefined) return undefined;
    const user = await accounts.user(token.user_id);
    if (user === undefined || user.disabled_at !== undefined) return undefined;
    const { id: tokenId, scopes, expires_at } = token;
    const end = expires_at === undefined ? {} : { expiresAt: Date.parse(expires_at) };
    return { token, principal: await principalOf(accounts, user, { scopes, tokenId, ...end }) };
  }

  return {
    /** Undefined for a token that is unknown, revoked or of a disabled user. The caller checks expiry. */
    async ofTokenHash(hash: string): Promise<Known | undefined> {
      const current = await refresh();
      const known = remembered.get(hash);
      if (known !== undefined) return known;
      const loaded = await load(hash);
      // Another request may have seen a newer version meanwhile; then this result is not cached.
      if (loaded !== undefined && version === current) remembered.set(hash, loaded);
      return loaded;
    },

    version: accounts.version,

    /** Whether one of our tokens is still valid, apart from expiry. */
    async isAlive(tokenId: string): Promise<boolean> {
      const token = await accounts.token(tokenId);
      if (token === undefined || token.revoked_at !== undefined) return false;
      const user = await accounts.user(token.user_id);
      return user !== undefined && user.disabled_at === undefined;
    },

    /** A user authenticated without one of our tokens; the caller adds the scopes. Undefined for a disabled user. */
    async ofUser(id: string): Promise<Principal | undefined> {
      const current = await refresh();
      const known = people.get(id);
      if (known !== undefined) return known;
      const user = await accounts.user(id);
      if (user === undefined || user.disabled_at !== undefined) return undefined;
      const principal = await principalOf(accounts, user, { scopes: [] });
      if (version === current) people.set(id, principal);
      return principal;
    },
  };
}

export async function principalOf(
  accounts: AccountRecords,
  user: UserRow,
  shown: Pick<Principal, 'scopes' | 'tokenId' | 'expiresAt'>,
): Promise<Principal> {
  const rows = await accounts.membershipsOf(user.id);
  return {
    ...shown,
    userId: user.id,
    defaultProjectId: user.default_project_id,
    memberships: new Map(rows.map(({ project_id, role }) => [project_id, role])),
  };
}

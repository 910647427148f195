import type { Principal } from '../model/access.js';
import type { TokenRow, UserRow } from '../records/account-rows.js';
import type { AccountRecords } from '../records/accounts.js';

export type Rights = ReturnType<typeof createRights>;

export interface Known {
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

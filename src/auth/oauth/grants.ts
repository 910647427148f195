import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope } from '../../model/access.js';
import type { HandleRow, TokenRow } from '../../records/account-rows.js';
import { newHandle, type OAuthRecords, patched, usedHandle } from '../../records/accounts.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { createToken, type Handles, hashToken, laterBy, newToken, prefixOf, revokeToken } from '../tokens.js';
import type { Administration } from '../users.js';
import { type AuthorizationRequest, isResource, OAuthError, scopesOf } from './authorization.js';

export type Grants = ReturnType<typeof createGrants>;

/** The token response for a code or a refresh token. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

interface GrantParts {
  handles: Handles;
  records: OAuthRecords;
  administration: Administration;
}

const accessLifetime = 3_600_000;

/**
 * Issues codes and tokens to applications. A grant is one row of the tokens table, and refreshing gives that row
 * another value; so revoking the row ends both the application's access and its refreshing at once.
 */
export function createGrants({ handles, records, administration }: GrantParts) {
  const { accounts, audit, now } = administration;

  /** The next refresh token in the grant of `about`. */
  function nextRefresh(tokenId: string, about: HandleRow) {
    const { client_id = '' } = about.data;
    return handles.make('refresh', { userId: about.user_id ?? '', tokenId, data: { client_id } });
  }

  /** A single-use secret was presented twice: the grant is revoked for both holders. */
  async function endReplayed(row: HandleRow, event: 'code_replayed' | 'refresh_replayed'): Promise<never> {
    audit.count({ event, userId: row.user_id, tokenId: row.token_id, clientId: row.data.client_id });
    if (row.token_id !== undefined) {
      await revokeToken(administration, row.token_id);
      await records.removeHandles(await records.handlesOfToken(row.token_id));
    }
    throw invalidGrant();
  }

  /**
   * Consumes the presented refresh token and gives its grant another value in one transaction: if only the first were
   * written when the store fails, the client's retry would look like a replay. Undefined when another request was
   * first.
   */
  async function renewed(token: TokenRow, shown: HandleRow): Promise<TokenAnswer | undefined> {
    const value = newToken();
    const time = now();
    const set = {
      hash: hashToken(value),
      prefix: prefixOf(value),
      rotated_at: time,
      expires_at: laterBy(time, accessLifetime),
    };
    const next = await nextRefresh(token.id, shown);
    try {
      await accounts.write([usedHandle(shown.id), patched('tokens', token.id, set), newHandle(next.row)]);
    } catch (error) {
      if (error instanceof WriteConflict) return undefined;
      throw error;
    }
    return answer(value, next.value, token.scopes);
  }

  return {
    /** Issues a code after the user has consented. */
    async code(userId: string, request: AuthorizationRequest, scopes: readonly Scope[]): Promise<string> {
      const data = {
        client_id: request.client.id,
        client_name: request.client.name,
        redirect_uri: request.redirectUri,
        code_challenge: request.codeChallenge,
        scope: scopes.join(' '),
      };
      return handles.issue('code', { userId, data });
    },

    async exchange(given: URLSearchParams, rules: { resource: string; issuer: string }): Promise<TokenAnswer> {
      checkResource(given, rules);
      const taken = await handles.take('code', given.get('code') ?? undefined);
      if (taken === undefined) throw invalidGrant();
      const { row, replayed } = taken;
      if (replayed) return endReplayed(row, 'code_replayed');
      const { client_id, client_name, redirect_uri, code_challenge = '', scope } = row.data;
      const fits =
        given.get('client_id') === client_id &&
        given.get('redirect_uri') === redirect_uri &&
        isVerifier(given.get('code_verifier') ?? '', code_challenge);
      if (!fits) throw invalidGrant();
      const made = await createToken(administration, {
        user: row.user_id ?? '',
        displayName: client_name,
        scopes: scopesOf(scope),
        lifetime: accessLifetime,
        clientId: client_id,
      });
      await records.linkHandle(row.id, made.row.id);
      const refresh = await nextRefresh(made.row.id, row);
      await records.putHandle(refresh.row);
      return answer(made.token, refresh.value, made.row.scopes);
    },

    async refresh(given: URLSearchParams, rules: { resource: string; issuer: string }): Promise<TokenAnswer> {
      checkResource(given, rules);
      const row = await handles.find('refresh', given.get('refresh_token') ?? undefined);
      if (row === undefined) throw invalidGrant();
      if (row.state !== 'open') return endReplayed(row, 'refresh_replayed');
      const token = row.token_id === undefined ? undefined : await accounts.token(row.token_id);
      const user = await accounts.user(row.user_id ?? '');
      const alive = token !== undefined && token.revoked_at === undefined && user !== undefined && !user.disabled_at;
      if (!alive || given.get('client_id') !== row.data.client_id) throw invalidGrant();
      const asked = given.get('scope');
      if (asked !== null && !asked.split(' ').every((scope) => (token.scopes as string[]).includes(scope))) {
        throw new OAuthError('invalid_scope', 'scope may only name scopes that were granted');
      }
      return (await renewed(token, row)) ?? endReplayed(row, 'refresh_replayed');
    },

    /** RFC 7009: revokes the grant of an application's access or refresh token; any other value is ignored. */
    async revoke(value: string): Promise<void> {
      const token = await accounts.tokenByHash(hashToken(value));
      const handle = await handles.look('refresh', value);
      const id = token?.client_id === undefined ? handle?.token_id : token.id;
      if (id !== undefined) await revokeToken(administration, id);
    },
  };
}

function answer(access_token: string, refresh_token: string, scopes: readonly Scope[]): TokenAnswer {
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: accessLifetime / 1_000,
    refresh_token,
    scope: scopes.join(' '),
  };
}

function checkResource(given: URLSearchParams, rules: { resource: string; issuer: string }): void {
  const resource = given.get('resource');
  if (resource !== null && !isResource(resource, rules)) {
    throw new OAuthError('invalid_target', 'resource is not this service');
  }
}

/** RFC 7636, S256. */
function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const computed = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}

function invalidGrant(): OAuthError {
  return new OAuthError('invalid_grant', 'The code or token is unknown, used, expired or not for this client');
}

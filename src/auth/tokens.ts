import { createHash, randomBytes } from 'node:crypto';
import { allScopes, memoryScopes, type Scope } from '../model/access.js';
import { invalidInput, MemoryError } from '../model/errors.js';
import type { HandleKind } from '../model/tables.js';
import { currentScopeRule, type HandleRow, namedToken, type TokenRow } from '../records/account-rows.js';
import { type AccountRecords, inserted, type OAuthRecords, patched } from '../records/accounts.js';
import { type Administration, checkedLabel, orConflict, requireUser } from './users.js';

export interface NewToken {
  user: string;
  displayName?: string | undefined;
  scopes?: readonly string[] | undefined;
  lifetime?: number | undefined;
  /** An imported token; by default, a new one is generated. */
  value?: string | undefined;
  /** The OAuth client it was issued to. */
  clientId?: string | undefined;
}

/** The only answer that contains the raw token. */
export interface MadeToken {
  token: string;
  row: TokenRow;
}

export async function createToken(
  { accounts, audit, now }: Administration,
  { user, displayName, scopes, lifetime, clientId, value = newToken() }: NewToken,
): Promise<MadeToken> {
  const owner = await requireUser(accounts, user);
  if (owner.disabled_at !== undefined) throw invalidInput('user', 'is disabled: enable the user first');
  const label = checkedLabel('display_name', displayName);
  const created_at = now();
  const row = namedToken({
    id: newTokenId(),
    user_id: owner.id,
    ...(label === undefined ? {} : { display_name: label }),
    hash: hashToken(value),
    prefix: prefixOf(value),
    scopes: parseScopes(scopes),
    scope_rule: currentScopeRule,
    created_at,
    ...(lifetime === undefined ? {} : { expires_at: laterBy(created_at, lifetime) }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
  });
  await orConflict(accounts.write([inserted('tokens', row)]), 'This token is already registered');
  await audit.record({ event: 'token_created', userId: owner.id, tokenId: row.id, clientId });
  return { token: value, row };
}

/** Revokes a token; it is rejected from the next request on. Idempotent. */
export async function revokeToken(administration: Administration, idOrPrefix: string): Promise<TokenRow> {
  const { accounts, audit, now, actorId } = administration;
  const token = await findToken(accounts, idOrPrefix);
  if (token.revoked_at !== undefined) return token;
  const revoked = { ...token, revoked_at: now() };
  await accounts.write([patched('tokens', token.id, { revoked_at: revoked.revoked_at })]);
  await audit.record({ event: 'token_revoked', userId: token.user_id, actorId, tokenId: token.id });
  return revoked;
}

/**
 * Gives the token another value under the same id; the old value is rejected from the next request on. The lifetime
 * starts over.
 */
export async function rotateToken(
  { accounts, audit, now }: Administration,
  idOrPrefix: string,
  lifetime?: number,
): Promise<MadeToken> {
  const old = await findToken(accounts, idOrPrefix);
  if (old.revoked_at !== undefined) throw invalidInput('', 'This token is revoked: create a new one');
  const token = newToken();
  const time = now();
  const length = lifetime ?? lifetimeOf(old);
  const set = {
    hash: hashToken(token),
    prefix: prefixOf(token),
    rotated_at: time,
    ...(length === undefined ? {} : { expires_at: laterBy(time, length) }),
  };
  await accounts.write([patched('tokens', old.id, set)]);
  await audit.record({ event: 'token_rotated', userId: old.user_id, tokenId: old.id });
  return { token, row: { ...old, ...set } };
}

function lifetimeOf({ created_at, rotated_at = created_at, expires_at }: TokenRow): number | undefined {
  return expires_at === undefined ? undefined : Date.parse(expires_at) - Date.parse(rotated_at);
}

/** Finds a token by id, by the prefix that lists show, or by its value, so that a leaked token can be revoked. */
async function findToken(accounts: AccountRecords, idOrPrefix: string): Promise<TokenRow> {
  const named = (await accounts.token(idOrPrefix)) ?? (await accounts.tokenByHash(hashToken(idOrPrefix)));
  if (named !== undefined) return named;
  const begins = ({ id, prefix }: TokenRow): boolean => prefix.startsWith(idOrPrefix) || id.startsWith(idOrPrefix);
  const matches = idOrPrefix === '' ? [] : (await accounts.tokens()).filter(begins);
  const [match, ...others] = matches;
  if (match === undefined) throw new MemoryError('not_found', 'There is no token with this id or prefix');
  if (others.length === 0) return match;
  const ids = matches.map(({ id }) => id);
  throw new MemoryError(
    'invalid_input',
    `Several tokens start with this prefix; use one of these ids: ${ids.join(', ')}`,
  );
}

function parseScopes(given: readonly string[] | undefined): Scope[] {
  const words = (given ?? memoryScopes).flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '');
  if (words.length === 0 || !words.every((word) => (allScopes as readonly string[]).includes(word))) {
    throw invalidInput('scopes', `must be one or more of: ${allScopes.join(', ')}`);
  }
  return allScopes.filter((scope) => words.includes(scope));
}

/**
 * A token is 256 random bits, so its plain SHA-256 is as hard to reverse as the token is to guess, and takes a
 * microsecond where a password hash would take a tenth of a second on every request. Tokens are looked up by that hash,
 * so a timing attack would only observe hash bits that the attacker does not control.
 */
export function newToken(): string {
  return `tk_${randomBytes(32).toString('base64url')}`;
}

export function newTokenId(): string {
  return `tok_${randomBytes(16).toString('hex')}`;
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Enough to recognise a token and too little to guess the rest; shorter for short imported tokens. */
export function prefixOf(token: string): string {
  return token.slice(0, token.length >= 32 ? 12 : 4);
}

/** The token syntax of RFC 6750. */
export const tokenSyntax = /^[A-Za-z0-9._~+/-]+=*$/;
const shortest = 16;
const longestToken = 512;

/** Validates an imported token, as typed or piped in. */
export function givenToken(text: string): string {
  const token = text.trim();
  if (token.length < shortest || token.length > longestToken) {
    throw invalidInput('', `The token on standard input must have ${shortest} to ${longestToken} characters`);
  }
  if (!tokenSyntax.test(token)) {
    throw invalidInput('', 'The token on standard input may contain only letters, digits and - . _ ~ + / =');
  }
  return token;
}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const longestLifetime = 3_650 * 86_400_000;

/** Parses `90d`, `12h`, `30m`, `2w` into milliseconds. */
export function parseLifetime(text: string): number {
  const match = /^([1-9]\d{0,5})([mhdw])$/.exec(text.trim().toLowerCase());
  const milliseconds = Number(match?.[1]) * (units[match?.[2] ?? ''] ?? Number.NaN);
  if (!(milliseconds <= longestLifetime)) {
    throw invalidInput('', 'A lifetime is a number with m, h, d or w, such as 90d, and at most ten years');
  }
  return milliseconds;
}

export function laterBy(time: string, milliseconds: number): string {
  return new Date(Date.parse(time) + milliseconds).toISOString();
}

export type Handles = ReturnType<typeof createHandles>;

const minute = 60_000;
const lifetimes: Record<HandleKind, number> = {
  session: 12 * 60 * minute,
  sign_in: 10 * minute,
  consent: 10 * minute,
  code: minute,
  refresh: 60 * 24 * 60 * minute,
};

interface About {
  data?: Record<string, string>;
  userId?: string;
  tokenId?: string;
}

/** Random secrets that a client presents later: codes, sessions. Only their hashes are stored, as for tokens. */
export function createHandles({ records, now }: { records: OAuthRecords; now: () => string }) {
  async function find(kind: HandleKind, value: string | undefined): Promise<HandleRow | undefined> {
    if (value === undefined || value === '') return undefined;
    const row = await records.handle(idOf(kind, value));
    return row !== undefined && row.expires_at > now() ? row : undefined;
  }

  /** A new value and its row, which the caller writes. */
  async function make(
    kind: HandleKind,
    { data = {}, userId, tokenId }: About = {},
  ): Promise<{ value: string; row: HandleRow }> {
    const value = randomBytes(32).toString('base64url');
    const created_at = now();
    // Creating one removes a few expired ones, so that the table stays bounded even though anyone can add to it.
    await records.removeHandles(await records.expiredHandles(created_at, 20));
    const row: HandleRow = {
      id: idOf(kind, value),
      kind,
      state: 'open',
      ...(userId === undefined ? {} : { user_id: userId }),
      ...(tokenId === undefined ? {} : { token_id: tokenId }),
      data,
      created_at,
      expires_at: laterBy(created_at, lifetimes[kind]),
    };
    return { value, row };
  }

  return {
    make,

    /** Also finds used handles; undefined when the value is unknown or expired. */
    find,

    async issue(kind: HandleKind, about: About = {}): Promise<string> {
      const { value, row } = await make(kind, about);
      await records.putHandle(row);
      return value;
    },

    /** Returns the handle without consuming it. */
    async look(kind: HandleKind, value: string | undefined): Promise<HandleRow | undefined> {
      const row = await find(kind, value);
      return row?.state === 'open' ? row : undefined;
    },

    /** Consumes the handle. `replayed` when it was already consumed; undefined when it is unknown or expired. */
    async take(
      kind: HandleKind,
      value: string | undefined,
    ): Promise<{ row: HandleRow; replayed: boolean } | undefined> {
      const row = await find(kind, value);
      if (row === undefined) return undefined;
      return { row, replayed: !(await records.useHandle(row.id)) };
    },

    async drop(kind: HandleKind, value: string | undefined): Promise<void> {
      if (value !== undefined) await records.removeHandles([idOf(kind, value)]);
    },
  };
}

function idOf(kind: HandleKind, value: string): string {
  return createHash('sha256').update(`${kind}:${value}`).digest('hex');
}

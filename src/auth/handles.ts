import { createHash, randomBytes } from 'node:crypto';
import type { HandleKind } from '../model/account-tables.js';
import type { HandleRow } from '../records/account-rows.js';
import type { OAuthRecords } from '../records/accounts.js';
import { laterBy } from './tokens.js';

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

import { randomUUID } from 'node:crypto';
import type { TableName, WrittenRow } from '../model/tables.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { type AuditRow, type ClientRow, type HandleRow, memberId, namedToken, namedUser } from './account-rows.js';
import { type Change, type ChangeOf, type Condition, eq, type Patch, type Query, type RecordStore } from './store.js';

export type AccountRecords = ReturnType<typeof accountRecords>;

const versionKey = 'accounts_version';

/**
 * Users, tokens, projects and members. Every change that may grant or revoke a right is written together with a new
 * version, so that other processes can detect it with one small read and drop their cached rights.
 */
export function accountRecords(store: RecordStore, now: () => string) {
  const one = async <Name extends TableName>(table: Name, where: Condition<Name>[]) =>
    (await store.find(table, { where, limit: 1 }))[0];

  return {
    /** Changes whenever rights may have changed, in any process. */
    async version(): Promise<string> {
      const row = await one('settings', [eq('id', versionKey)]);
      return typeof row?.value === 'string' ? row.value : '';
    },

    async write(changes: readonly Change[]): Promise<void> {
      const row = { id: versionKey, value: randomUUID(), updated_at: now() };
      await store.write([...changes, { kind: 'put', table: 'settings', row }]);
    },

    user: (id: string) => one('users', [eq('id', id)]).then((row) => row && namedUser(row)),
    users: async () => (await store.find('users')).map(namedUser),

    identity: (id: string) => one('identities', [eq('id', id)]),

    token: (id: string) => one('tokens', [eq('id', id)]).then((row) => row && namedToken(row)),
    tokenByHash: (hash: string) => one('tokens', [eq('hash', hash)]).then((row) => row && namedToken(row)),
    tokens: async (userId?: string) => {
      const where = userId === undefined ? {} : { where: [eq('user_id', userId)] };
      return (await store.find('tokens', where)).map(namedToken);
    },

    project: (id: string) => one('projects', [eq('id', id)]),
    projects: (ids?: readonly string[]) =>
      store.find('projects', ids === undefined ? {} : { where: [{ field: 'id', is: 'in', value: ids }] }),

    member: (projectId: string, userId: string) => one('members', [eq('id', memberId(projectId, userId))]),
    membershipsOf: (userId: string) => store.find('members', { where: [eq('user_id', userId)] }),
    membersOf: (projectId: string) => store.find('members', { where: [eq('project_id', projectId)] }),

    /** Records when tokens were last used. Rights do not change, so the version stays the same. */
    async noteUse(times: ReadonlyMap<string, string>): Promise<void> {
      const changes = [...times].map(
        ([id, last_used_at]): Change => ({ kind: 'patch', table: 'tokens', ids: [id], set: { last_used_at } }),
      );
      if (changes.length > 0) await store.write(changes);
    },
  };
}

type AccountTable = 'users' | 'identities' | 'tokens' | 'projects' | 'members';

/** Inserts a row; throws WriteConflict if it exists. */
export function inserted<Name extends AccountTable>(table: Name, row: WrittenRow<Name>): ChangeOf<Name> {
  return { kind: 'insert', table, row };
}

export function patched<Name extends AccountTable>(table: Name, id: string, set: Patch<Name>): ChangeOf<Name> {
  return { kind: 'patch', table, ids: [id], set };
}

export type OAuthRecords = ReturnType<typeof oauthRecords>;

/** OAuth clients and handles (secrets that prove something when presented). All of it survives a restart. */
export function oauthRecords(store: RecordStore) {
  const handleIds = async (where: Condition<'handles'>[], limit: number): Promise<string[]> =>
    (await store.find('handles', { where, fields: ['id'], limit })).map(({ id }) => id);

  return {
    async client(id: string): Promise<ClientRow | undefined> {
      const [row] = await store.find('clients', { where: [eq('id', id)], limit: 1 });
      return row;
    },

    async putClient(row: ClientRow): Promise<void> {
      await store.write([{ kind: 'put', table: 'clients', row: row }]);
    },

    countClients: () => store.count('clients'),

    /** Registered clients that no user has approved, oldest first. */
    async untrustedClients(limit: number): Promise<string[]> {
      const where: Condition<'clients'>[] = [eq('kind', 'registered'), { field: 'trusted_at', is: 'absent' }];
      const order = { by: 'created_at', direction: 'asc' } as const;
      return (await store.find('clients', { where, order, limit, fields: ['id'] })).map(({ id }) => id);
    },

    async removeClients(clientIds: readonly string[]): Promise<void> {
      await store.write([{ kind: 'remove', table: 'clients', ids: [...clientIds] }]);
    },

    async handle(id: string): Promise<HandleRow | undefined> {
      const [row] = await store.find('handles', { where: [eq('id', id)], limit: 1 });
      return row;
    },

    async putHandle(row: HandleRow): Promise<void> {
      await store.write([newHandle(row)]);
    },

    /** True for exactly one caller, even if several try concurrently. */
    async useHandle(id: string): Promise<boolean> {
      try {
        await store.write([usedHandle(id)]);
        return true;
      } catch (error) {
        if (error instanceof WriteConflict) return false;
        throw error;
      }
    },

    /** Links the handle to the token issued for it, so that a replay can revoke that token. */
    async linkHandle(id: string, tokenId: string): Promise<void> {
      await store.write([{ kind: 'patch', table: 'handles', ids: [id], set: { token_id: tokenId } }]);
    },

    async removeHandles(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await store.write([{ kind: 'remove', table: 'handles', ids: [...ids] }]);
    },

    handlesOfToken: (tokenId: string): Promise<string[]> => handleIds([eq('token_id', tokenId)], 10_000),

    expiredHandles: (now: string, limit: number): Promise<string[]> =>
      handleIds([{ field: 'expires_at', is: 'lte', value: now }], limit),
  };
}

export function newHandle(row: HandleRow): Change {
  return { kind: 'insert', table: 'handles', row: row };
}

/** Consumes the handle; if it is already used, the whole write fails with WriteConflict. */
export function usedHandle(id: string): Change {
  return { kind: 'patch', table: 'handles', ids: [id], set: { state: 'used' }, when: { state: 'open' } };
}

export type AuditRecords = ReturnType<typeof auditRecords>;

export interface AuditFilter {
  event?: string | undefined;
  userId?: string | undefined;
  from?: string | undefined;
  limit: number;
}

/** Security events, append-only. */
export function auditRecords(store: RecordStore) {
  return {
    async add(rows: readonly AuditRow[]): Promise<void> {
      if (rows.length > 0) await store.write(rows.map((row) => ({ kind: 'put', table: 'audit', row: row })));
    },

    /** For one-time events: true when this call wrote it. */
    async addOnce(row: AuditRow): Promise<boolean> {
      try {
        await store.write([{ kind: 'insert', table: 'audit', row: row }]);
        return true;
      } catch (error) {
        if (error instanceof WriteConflict) return false;
        throw error;
      }
    },

    /** Newest first. A user's events are those about them and those they caused. */
    async newest({ event, userId, from, limit }: AuditFilter): Promise<AuditRow[]> {
      const where: Condition<'audit'>[] = [];
      if (event !== undefined) where.push({ field: 'event', is: 'eq', value: event });
      if (from !== undefined) where.push({ field: 'at', is: 'gte', value: from });
      const order = { by: 'at', direction: 'desc' } as const;
      const find = (more: Condition<'audit'>[]) => store.find('audit', { where: [...where, ...more], order, limit });
      if (userId === undefined) return find([]);
      const found = await Promise.all(
        (['user_id', 'actor_id'] as const).map((field) => find([{ field, is: 'eq', value: userId }])),
      );
      const rows = new Map(found.flat().map((row) => [row.id, row]));
      return [...rows.values()].sort(newestFirst).slice(0, limit);
    },

    async removeBefore(time: string): Promise<void> {
      const where: Condition<'audit'>[] = [{ field: 'at', is: 'lte', value: time }];
      let after: string | undefined;
      do {
        const page: Query<'audit', 'id'> = { where, fields: ['id'], limit: 500 };
        if (after !== undefined) page.after = { value: after, id: after };
        const ids = (await store.find('audit', page)).map(({ id }) => id);
        if (ids.length > 0) await store.write([{ kind: 'remove', table: 'audit', ids }]);
        after = ids.at(-1);
      } while (after !== undefined);
    },
  };
}

function newestFirst(one: AuditRow, other: AuditRow): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

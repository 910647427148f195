import { randomUUID } from 'node:crypto';
import type { TableName, WrittenRow } from '../model/tables.js';
import { memberId, namedToken, namedUser } from './account-rows.js';
import { type Change, type ChangeOf, type Condition, eq, type Patch, type RecordStore } from './store.js';

export type AccountRecords = ReturnType<typeof accountRecords>;

const versionKey = 'accounts_version';

/**
 * Users, tokens, projects and members. Every change that could take a right away or give one is written together with a
 * new version, so that a process that remembers rights learns in one small read that another process changed them.
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

    /** When tokens were last used. Changes nobody's rights, so the version stays. */
    async noteUse(times: ReadonlyMap<string, string>): Promise<void> {
      const changes = [...times].map(
        ([id, last_used_at]): Change => ({ kind: 'patch', table: 'tokens', ids: [id], set: { last_used_at } }),
      );
      if (changes.length > 0) await store.write(changes);
    },
  };
}

type AccountTable = 'users' | 'identities' | 'tokens' | 'projects' | 'members';

/** A new row; one that exists is a WriteConflict. */
export function inserted<Name extends AccountTable>(table: Name, row: WrittenRow<Name>): ChangeOf<Name> {
  return { kind: 'insert', table, row };
}

export function patched<Name extends AccountTable>(table: Name, id: string, set: Patch<Name>): ChangeOf<Name> {
  return { kind: 'patch', table, ids: [id], set };
}

import { randomUUID } from 'node:crypto';
import type { Change, Condition, MetadataStore, Query, Row, Value } from '../stores/metadata/contract.js';
import {
  type IdentityRow,
  type MemberRow,
  memberId,
  namedToken,
  namedUser,
  type ProjectRow,
  type TokenRow,
  type UserRow,
} from './account-rows.js';

export type AccountRecords = ReturnType<typeof accountRecords>;

const versionKey = 'accounts_version';

/**
 * Users, tokens, projects and members. Every change that could take a right away or give one is written together with a
 * new version, so that a process that remembers rights learns in one small read that another process changed them.
 */
export function accountRecords(store: MetadataStore, now: () => string) {
  const all = async <T>(table: string, query: Query = {}) => (await store.find(table, query)) as unknown as T[];
  const one = async <T>(table: string, where: Condition[]) => (await all<T>(table, { where, limit: 1 }))[0];

  return {
    /** Changes whenever rights may have changed, in any process. */
    async version(): Promise<string> {
      const row = await one<{ value: string }>('settings', [eq('id', versionKey)]);
      return row?.value ?? '';
    },

    async write(changes: readonly Change[]): Promise<void> {
      const row = { id: versionKey, value: randomUUID(), updated_at: now() };
      await store.write([...changes, { kind: 'put', table: 'settings', row }]);
    },

    user: (id: string) => one<UserRow>('users', [eq('id', id)]).then((row) => row && namedUser(row)),
    users: async () => (await all<UserRow>('users')).map(namedUser),

    identity: (id: string) => one<IdentityRow>('identities', [eq('id', id)]),

    token: (id: string) => one<TokenRow>('tokens', [eq('id', id)]).then((row) => row && namedToken(row)),
    tokenByHash: (hash: string) => one<TokenRow>('tokens', [eq('hash', hash)]).then((row) => row && namedToken(row)),
    tokens: async (userId?: string) => {
      const where = userId === undefined ? {} : { where: [eq('user_id', userId)] };
      return (await all<TokenRow>('tokens', where)).map(namedToken);
    },

    project: (id: string) => one<ProjectRow>('projects', [eq('id', id)]),
    projects: (ids?: readonly string[]) =>
      all<ProjectRow>('projects', ids === undefined ? {} : { where: [{ field: 'id', is: 'in', value: ids }] }),

    member: (projectId: string, userId: string) => one<MemberRow>('members', [eq('id', memberId(projectId, userId))]),
    membershipsOf: (userId: string) => all<MemberRow>('members', { where: [eq('user_id', userId)] }),
    membersOf: (projectId: string) => all<MemberRow>('members', { where: [eq('project_id', projectId)] }),

    /** When tokens were last used. Changes nobody's rights, so the version stays. */
    async noteUse(times: ReadonlyMap<string, string>): Promise<void> {
      const changes = [...times].map(
        ([id, last_used_at]): Change => ({ kind: 'patch', table: 'tokens', ids: [id], set: { last_used_at } }),
      );
      if (changes.length > 0) await store.write(changes);
    },
  };
}

interface AccountTable {
  users: UserRow;
  identities: IdentityRow;
  tokens: TokenRow;
  projects: ProjectRow;
  members: MemberRow;
}

/** A new row; one that exists is a WriteConflict. */
export function inserted<Name extends keyof AccountTable>(table: Name, row: AccountTable[Name]): Change {
  return { kind: 'insert', table, row: row as unknown as Row };
}

export function patched<Name extends keyof AccountTable>(
  table: Name,
  id: string,
  set: { [Field in keyof AccountTable[Name]]?: AccountTable[Name][Field] | undefined },
): Change {
  return { kind: 'patch', table, ids: [id], set: set as Record<string, Value | undefined> };
}

function eq(field: string, value: string): Condition {
  return { field, is: 'eq', value };
}

import { WriteConflict } from '../stores/metadata/contract.js';
import type { ClientRow, HandleRow } from './account-rows.js';
import { type Change, type Condition, eq, type RecordStore } from './store.js';

export type OAuthRecords = ReturnType<typeof oauthRecords>;

/** OAuth clients and everything that is proved by showing a random value. All of it survives a restart. */
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

    /** The registered clients that nobody ever let in, oldest first. */
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

    /** True for the one caller that gets to use it, however many try at once. */
    async useHandle(id: string): Promise<boolean> {
      try {
        await store.write([usedHandle(id)]);
        return true;
      } catch (error) {
        if (error instanceof WriteConflict) return false;
        throw error;
      }
    },

    /** What came of it, so that its replay can end that. */
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

/** For the one who is first: with one that is used already, the whole write is a WriteConflict. */
export function usedHandle(id: string): Change {
  return { kind: 'patch', table: 'handles', ids: [id], set: { state: 'used' }, when: { state: 'open' } };
}

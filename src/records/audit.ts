import { WriteConflict } from '../stores/metadata/contract.js';
import type { AuditRow } from './account-rows.js';
import type { Condition, Query, RecordStore } from './store.js';

export type AuditRecords = ReturnType<typeof auditRecords>;

export interface AuditFilter {
  event?: string | undefined;
  userId?: string | undefined;
  from?: string | undefined;
  limit: number;
}

/** Security events, written once and never changed. */
export function auditRecords(store: RecordStore) {
  return {
    async add(rows: readonly AuditRow[]): Promise<void> {
      if (rows.length > 0) await store.write(rows.map((row) => ({ kind: 'put', table: 'audit', row: row })));
    },

    /** For what happens once: true when this call was the one that wrote it. */
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

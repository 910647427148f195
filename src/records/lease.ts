import type { Lease, LeaseStore } from '../concurrency/lease.js';
import { timeAfter } from '../model/time.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import type { RecordStore } from './store.js';

const key = 'background_lease';

/** The one row by which processes on the same data agree on who does the background work. */
export function leaseRecords(store: RecordStore, now: () => string): LeaseStore {
  return {
    async current(): Promise<Lease | undefined> {
      const [row] = await store.find('settings', { where: [{ field: 'id', is: 'eq', value: key }], limit: 1 });
      if (row === undefined) return undefined;
      return { holder: String((row.value as { holder?: string }).holder), renewed: String(row.updated_at) };
    },

    /** Takes or renews it, if it is still as it was seen. False when somebody else was quicker. */
    async take(holder: string, seen: Lease | undefined): Promise<boolean> {
      const set = { value: { holder }, updated_at: seen === undefined ? now() : timeAfter(seen.renewed, now()) };
      try {
        if (seen === undefined) await store.write([{ kind: 'insert', table: 'settings', row: { id: key, ...set } }]);
        else {
          const when = { updated_at: seen.renewed };
          await store.write([{ kind: 'patch', table: 'settings', ids: [key], set, when }]);
        }
        return true;
      } catch (error) {
        if (error instanceof WriteConflict) return false;
        throw error;
      }
    },

    async give(): Promise<void> {
      await store.write([{ kind: 'remove', table: 'settings', ids: [key] }]);
    },
  };
}

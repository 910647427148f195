import type { Json } from '../model/json.js';
import type { RecordStore } from './store.js';

export type SettingRecords = ReturnType<typeof settingRecords>;

/** Small values about the store itself, such as the fingerprint of its vector index. */
export function settingRecords(store: RecordStore, now: () => string) {
  return {
    async get(key: string): Promise<Json | undefined> {
      const [row] = await store.find('settings', { where: [{ field: 'id', is: 'eq', value: key }], limit: 1 });
      return row?.value;
    },

    async set(key: string, value: Json): Promise<void> {
      const row = { id: key, value, updated_at: now() };
      await store.write([{ kind: 'put', table: 'settings', row }]);
    },

    async remove(key: string): Promise<void> {
      await store.write([{ kind: 'remove', table: 'settings', ids: [key] }]);
    },
  };
}

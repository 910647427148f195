import type { MetadataStore } from '../stores/metadata/contract.js';

/** Which conversation was the first of a thread; see operations/insert/thread-claim.ts. */
export function threadRecords(store: MetadataStore) {
  return {
    async holder(id: string): Promise<string | undefined> {
      const [row] = await store.find('threads', { where: [{ field: 'id', is: 'eq', value: id }], limit: 1 });
      return row === undefined ? undefined : String(row.conversation_id);
    },
  };
}

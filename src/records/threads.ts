import { createHash } from 'node:crypto';
import type { MemoryStatus } from '../model/conversation.js';
import type { RecordStore } from './store.js';

export interface Thread {
  projectId: string;
  source: string;
  upstreamThreadId: string;
  status: MemoryStatus;
}

/** What waits for review is never merged with what does not, so each status has a thread of its own. */
export function threadKey({ projectId, source, upstreamThreadId, status }: Thread): string {
  const key = JSON.stringify([projectId, source, upstreamThreadId, status]);
  return createHash('sha256').update(key).digest('hex');
}

/** Which conversation was the first of a thread; see operations/insert/thread-claim.ts. */
export function threadRecords(store: RecordStore) {
  return {
    async holder(id: string): Promise<string | undefined> {
      const [row] = await store.find('threads', { where: [{ field: 'id', is: 'eq', value: id }], limit: 1 });
      return row?.conversation_id;
    },
  };
}

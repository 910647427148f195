import { createHash } from 'node:crypto';
import type { MemoryStatus } from '../model/conversation.js';
import type { Change, MetadataStore } from '../stores/metadata/contract.js';

export interface ThreadKey {
  projectId: string;
  source: string;
  upstreamThreadId: string;
  status: MemoryStatus;
}

/**
 * One row for each thread that is continued by appends, naming its conversation. Its key is unique in every store, so of
 * two processes that begin the same thread at the same moment one loses, looks again and appends.
 */
export function threadRecords(store: MetadataStore) {
  return {
    async conversationOf(key: ThreadKey): Promise<string | undefined> {
      const [row] = await store.find('threads', { where: [{ field: 'id', is: 'eq', value: idOf(key) }], limit: 1 });
      return row === undefined ? undefined : String(row.conversation_id);
    },
  };
}

/** Takes the thread for a new conversation; `from` is one that held it and is gone. Conflicts when somebody else did. */
export function takeThread(key: ThreadKey, conversationId: string, from: string | undefined): Change {
  const id = idOf(key);
  if (from === undefined) return { kind: 'insert', table: 'threads', row: { id, conversation_id: conversationId } };
  const when = { conversation_id: from };
  return { kind: 'patch', table: 'threads', ids: [id], set: { conversation_id: conversationId }, when };
}

function idOf({ projectId, source, upstreamThreadId, status }: ThreadKey): string {
  return createHash('sha256')
    .update(JSON.stringify([projectId, source, upstreamThreadId, status]))
    .digest('hex');
}

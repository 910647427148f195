import type { PreparedConversation } from '../../ingestion/prepare.js';
import { threadKey } from '../../records/claims.js';
import type { Change } from '../../records/store.js';
import type { Service } from '../service.js';

/** Which conversation a thread had when we looked; nothing when nobody has stored it yet. */
export interface ThreadClaim {
  id: string;
  heldBy?: string;
}

/**
 * Two processes that see the first turns of one thread at the same moment must make one memory. The first conversation
 * of a thread is therefore stored together with a row whose id is the thread itself: whoever comes second conflicts,
 * looks again and continues the first. Read it before looking for the thread's conversations.
 */
export async function threadClaim(service: Service, prepared: PreparedConversation): Promise<ThreadClaim | undefined> {
  const { source, metadata } = prepared.conversation;
  if (!service.settings.allowTrustedAppends || metadata.upstream_thread_id === undefined) return undefined;
  const { projectId, status } = prepared;
  const id = threadKey({ projectId, source, upstreamThreadId: metadata.upstream_thread_id, status });
  const heldBy = await service.records.threads.holder(id);
  return heldBy === undefined ? { id } : { id, heldBy };
}

/** Takes the thread: as its first, or from a conversation that is gone or has another status by now. */
export function claimChange({ id, heldBy }: ThreadClaim, conversationId: string): Change {
  if (heldBy === undefined) return { kind: 'insert', table: 'threads', row: { id, conversation_id: conversationId } };
  const when = { conversation_id: heldBy };
  return { kind: 'patch', table: 'threads', ids: [id], set: { conversation_id: conversationId }, when };
}

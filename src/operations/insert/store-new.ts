import type { PreparedConversation } from '../../ingestion/prepare.js';
import { takeThread } from '../../records/threads.js';
import { putTopics } from '../../records/topics.js';
import type { Change, Row } from '../../stores/metadata/contract.js';
import { writeWithFacts } from '../facts/remember.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import { stage, timed } from '../stages.js';
import { indexNow } from './index-now.js';
import { type InsertOutcome, outcome } from './outcome.js';
import { childRows, conversationRow, summaryChange, topicsOf } from './rows.js';

/** Steps 8 to 10 for a conversation that was never seen. Throws WriteConflict when an equal one got there first. */
export async function storeNew(service: Service, call: Call, prepared: PreparedConversation): Promise<InsertOutcome> {
  const now = service.now();
  const { id, messages } = prepared.conversation;
  const place = { id, project_id: prepared.projectId, memory_status: prepared.status };
  const { changes, texts } = stage(service.observer, 'chunk', () =>
    childRows(service, place, messages, { hidden: prepared.quarantined }),
  );
  const row = conversationRow(prepared, {
    ownerId: call.principal.userId,
    tokenId: call.principal.tokenId,
    chunkCount: texts.length,
    now,
  });
  const active = row.memory_status === 'active';
  const topics = active ? topicsOf(row) : [];
  const release = service.indexer.claim(texts.map(({ chunk }) => chunk.id));
  try {
    const told = { row, statements: prepared.statements, chunks: texts.map(({ chunk }) => chunk) };
    const writing = writeWithFacts(service, told, [
      { kind: 'insert', table: 'conversations', row: row as unknown as Row },
      ...changes,
      ...(await beginThread(service, prepared)),
      summaryChange(row, now),
      ...putTopics(row, topics),
    ]);
    await timed(service.observer, 'metadata_insert', writing);
    if (!active) return outcome(row, { embedded: 0 });
    service.digests.touch(row.project_id, topics);
    return outcome(row, await indexNow(service, texts, { fresh: true }));
  } finally {
    release();
  }
}

/** Only where appends continue threads: everywhere else each capture is a memory of its own. */
async function beginThread(service: Service, prepared: PreparedConversation): Promise<Change[]> {
  const { id, source, metadata } = prepared.conversation;
  const { upstream_thread_id: upstreamThreadId } = metadata;
  if (!service.settings.allowTrustedAppends || upstreamThreadId === undefined) return [];
  const { projectId, status } = prepared;
  const key = { projectId, source, upstreamThreadId, status };
  const holder = await service.records.threads.conversationOf(key);
  if (holder === undefined) return [takeThread(key, id, undefined)];
  const row = await service.records.conversations.holderOfId(holder);
  // Written since we looked: inserting again conflicts, and the caller looks again.
  const isHeld = row?.memory_status === status && row.upstream_thread_id === upstreamThreadId && row.source === source;
  return [takeThread(key, id, isHeld ? undefined : holder)];
}

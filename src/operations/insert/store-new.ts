import { runYielding } from '../../concurrency/yielding.js';
import { writeWithFacts } from '../../indexing/facts/remember.js';
import { indexNow } from '../../indexing/indexer.js';
import { childRows, conversationRow, headingChange, summaryChange, topicsOf } from '../../indexing/rows.js';
import type { PreparedConversation } from '../../ingestion/prepare.js';
import { stageInSteps, timed } from '../../observability/stages.js';
import { putTopics } from '../../records/annotations.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import { type InsertOutcome, outcome } from './outcome.js';
import { claimChange, type ThreadClaim } from './thread-claim.js';

interface NewConversation {
  prepared: PreparedConversation;
  /** The thread that begins with it. */
  claim: ThreadClaim | undefined;
}

/** Writes, embeds and indexes a conversation that was never seen. Throws WriteConflict when an equal one got there first. */
export async function storeNew(
  service: Service,
  call: Call,
  { prepared, claim }: NewConversation,
): Promise<InsertOutcome> {
  const now = service.now();
  const { id, messages } = prepared.conversation;
  const place = { id, project_id: prepared.projectId, memory_status: prepared.status };
  const rows = childRows(service, place, messages, { hidden: prepared.quarantined });
  const { changes, texts } = await runYielding(stageInSteps(service.observer, 'chunk', rows));
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
    const told = { row, messages, statements: prepared.statements, chunks: texts.map(({ chunk }) => chunk) };
    const writing = writeWithFacts(service, told, [
      ...(claim === undefined ? [] : [claimChange(claim, id)]),
      { kind: 'insert', table: 'conversations', row: row },
      ...changes,
      ...(prepared.quarantined ? [] : [headingChange(row)]),
      summaryChange(row, now),
      ...putTopics(row, topics),
    ]);
    await timed(service.observer, 'metadata_insert', writing);
    if (!active) return outcome(row, { embedded: 0 });
    service.digests.touch(row.project_id, topics);
    service.tagging?.add(row.id);
    service.encoding?.add(row.id);
    return outcome(row, await indexNow(service, texts, { fresh: true }));
  } finally {
    release();
  }
}

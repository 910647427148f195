import { runYielding } from '../../concurrency/yielding.js';
import { writeWithFacts } from '../../indexing/facts/remember.js';
import { indexNow, withText } from '../../indexing/indexer.js';
import { childRows, conversationRow, headingChange, summaryChange, topicsOf } from '../../indexing/rows.js';
import { stageInSteps, timed } from '../../observability/stages.js';
import { putTopics } from '../../records/annotations.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Change } from '../../records/store.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import { appendMessages, learnTimes, tellsTimes } from './append.js';
import type { Decision, ThreadClaim } from './decide.js';
import { type Capture, keepAlias } from './keep-alias.js';
import { type InsertOutcome, outcome } from './outcome.js';

/*
 * The second half of an insert: writes what was decided, and embeds what is new.
 */

/** Throws WriteConflict when the stored state has changed since the decision: the caller decides again. */
export async function apply(
  service: Service,
  call: Call,
  { capture, decision }: { capture: Capture; decision: Decision },
): Promise<InsertOutcome> {
  switch (decision.kind) {
    case 'duplicate':
      return repeat(service, decision.stored, capture);
    case 'append':
      return appendMessages(service, decision);
    case 'new':
      return storeNew(service, call, decision);
  }
}

/** Stores nothing twice, but a repeated capture may add times, a source, a thread or a title. */
async function repeat(service: Service, stored: ConversationRow, capture: Capture): Promise<InsertOutcome> {
  const sent = capture.conversation.messages;
  if (tellsTimes(stored, sent)) await learnTimes(service, stored, sent);
  const kept = await keepAlias(service, stored, capture);
  return { ...(await answerDuplicate(service, kept.row)), ...kept.outcome };
}

/** A conversation stored this recently is probably being indexed by another process on the same folder. */
const headStart = 10_000;

/**
 * The content is already stored. Only chunks missing from the index are embedded, usually none. A very recent
 * conversation is left to the process that stored it for a moment: if both wrote it, a point could be added twice.
 */
async function answerDuplicate(service: Service, stored: ConversationRow): Promise<InsertOutcome> {
  const chunks = await service.records.chunks.ofConversation(stored.id);
  const missing = chunks.filter(({ id, index_state }) => index_state === 'pending' && !service.indexer.isHandled(id));
  const age = Date.parse(service.now()) - Date.parse(stored.updated_at);
  if (missing.length > 0 && age < headStart && !service.indexer.state().running) {
    service.indexer.revisit(headStart);
    return outcome(stored, { deduplicated: true, embedded: 0, pending: true });
  }
  const release = service.indexer.claim(missing.map(({ id }) => id));
  try {
    const done = await indexNow(service, await withText(service.records, missing), { fresh: false });
    return outcome(stored, { deduplicated: true, ...done });
  } finally {
    release();
  }
}

/** Writes, embeds and indexes a new conversation. Throws WriteConflict when an equal one was stored first. */
async function storeNew(
  service: Service,
  call: Call,
  { prepared, claim }: Extract<Decision, { kind: 'new' }>,
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
    const extraction = { row, messages, statements: prepared.statements, chunks: texts.map(({ chunk }) => chunk) };
    const writing = writeWithFacts(service, extraction, [
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

/** Claims the thread: as its first conversation, or from one that is gone or has another status by now. */
function claimChange({ id, heldBy }: ThreadClaim, conversationId: string): Change {
  if (heldBy === undefined) return { kind: 'insert', table: 'threads', row: { id, conversation_id: conversationId } };
  const when = { conversation_id: heldBy };
  return { kind: 'patch', table: 'threads', ids: [id], set: { conversation_id: conversationId }, when };
}

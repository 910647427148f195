import { runYielding } from '../../concurrency/yielding.js';
import { extracting, type Statement } from '../../facts/extract.js';
import { writeWithFacts } from '../../indexing/facts/remember.js';
import { indexNow, withText } from '../../indexing/indexer.js';
import { childRows, conversationRow, headingChange, spanOf, summaryChange, topicsOf } from '../../indexing/rows.js';
import { conversationHash } from '../../ingestion/hash.js';
import { enriching, type PreparedConversation, secretDetected } from '../../ingestion/prepare.js';
import type { Message, Role } from '../../model/conversation.js';
import type { JsonObject } from '../../model/json.js';
import { timeAfter } from '../../model/time.js';
import { stageInSteps, timed } from '../../observability/observer.js';
import { putTopics } from '../../records/annotations.js';
import { type Change, type ChunkRow, type ConversationRow, type MessageRow, messageId } from '../../records/store.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import type { Append, Decision, ThreadClaim } from './decide.js';
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
  // After a failure of ours, the missing chunks are probably our own.
  if (missing.length > 0 && age < headStart && service.indexer.state().failures === 0) {
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

/** Appends the new turns of a trusted capture. Throws WriteConflict when the conversation changed in the meantime. */
async function appendMessages(service: Service, { stored, messages, prepared, from }: Append): Promise<InsertOutcome> {
  const now = timeAfter(stored.updated_at, service.now());
  const sent = prepared.conversation.messages;
  const added = sent.slice(from);
  // A repeated capture may have message times that were unknown when it was stored.
  const learned = learnedFrom(messages, sent);
  const all = [...learned.messages, ...added];
  const earlier = await service.records.chunks.ofConversation(stored.id);
  const quarantined = stored.metadata.review_reason !== undefined;
  const hidden = quarantined || prepared.quarantined;
  const before = { messages, chunkIndex: nextChunkIndex(service, stored, earlier), hidden };
  const rows = childRows(service, stored, added, before);
  const { changes, texts } = await runYielding(stageInSteps(service.observer, 'chunk', rows));
  // The first secret quarantines the whole conversation.
  const toHide = hidden && !quarantined ? earlier : [];
  const statements = await runYielding(extracting({ title: stored.title, messages: all }));
  const row: ConversationRow = {
    ...stored,
    conversation_hash: conversationHash(
      all.map(({ hash }) => hash),
      stored.project_id,
    ),
    metadata: await mergedMetadata(stored, prepared, { messages: all, statements }, now),
    ...spanOf(all),
    message_count: all.length,
    chunk_count: stored.chunk_count + texts.length,
    updated_at: now,
  };
  const { conversation_hash, metadata, first_at, last_at, message_count, chunk_count, updated_at } = row;
  const topics = row.memory_status === 'active' ? topicsOf(row) : [];
  const release = service.indexer.claim(texts.map(({ chunk }) => chunk.id));
  try {
    const fresh = statements.filter(({ message_index }) => message_index >= messages.length);
    const extraction = {
      row,
      messages: all,
      statements: learned.changes.length === 0 ? fresh : statements,
      chunks: [...earlier, ...texts.map(({ chunk }) => chunk)],
    };
    const writing = writeWithFacts(service, extraction, [
      {
        kind: 'patch',
        table: 'conversations',
        ids: [row.id],
        set: {
          conversation_hash,
          metadata,
          first_at,
          last_at,
          message_count,
          chunk_count,
          updated_at,
        },
        // Also conflicts when only the title or tags changed, because they would be overwritten.
        when: { conversation_hash: stored.conversation_hash, updated_at: stored.updated_at },
      },
      ...changes,
      ...learned.changes,
      ...(hidden ? hiding(row.id, toHide) : []),
      summaryChange(row, now),
      ...putTopics(row, topics),
    ]);
    await timed(service.observer, 'metadata_insert', writing);
    // A reindex that included inactive conversations may have put it into the vector store.
    await service.vectors.remove(toHide.filter(({ index_state }) => index_state !== 'held'));
    if (row.memory_status !== 'active') return outcome(row, { appended: added.length, embedded: 0 });
    service.digests.touch(row.project_id, topics);
    service.tagging?.add(row.id);
    service.encoding?.add(row.id);
    const done = await indexNow(service, texts, { fresh: true });
    return outcome(row, { appended: added.length, ...done });
  } finally {
    release();
  }
}

/** Removes the words from the text index, as for a quarantined conversation. */
function hiding(conversationId: string, chunks: readonly ChunkRow[]): Change[] {
  const set = { terms: undefined, index_state: 'held' } as const;
  return [
    { kind: 'patch', table: 'chunks', ids: chunks.map(({ id }) => id), set },
    { kind: 'remove', table: 'headings', ids: [conversationId] },
  ];
}

/** After the last chunk; with one chunk per message, also after a last message without a chunk. */
function nextChunkIndex(service: Service, stored: ConversationRow, chunks: readonly ChunkRow[]): number {
  const byMessage = service.settings.chunking.strategy === 'message' ? stored.message_count : 0;
  return Math.max((chunks.at(-1)?.chunk_index ?? -1) + 1, byMessage);
}

/**
 * Stored metadata takes precedence; thread fields fill gaps, related ids are merged, and generated fields are
 * recomputed.
 */
async function mergedMetadata(
  stored: ConversationRow,
  prepared: PreparedConversation,
  said: { messages: readonly { role: Role; text: string }[]; statements: readonly Statement[] },
  now: string,
): Promise<JsonObject> {
  const sent = prepared.conversation.metadata;
  const before = stored.metadata;
  const related = [...listOf(before.related_conversation_ids), ...(sent.related_conversation_ids ?? [])];
  const kept: JsonObject = {
    ...before,
    thread_id: before.thread_id ?? sent.thread_id,
    upstream_thread_id: before.upstream_thread_id ?? sent.upstream_thread_id,
    parent_conversation_id: before.parent_conversation_id ?? sent.parent_conversation_id,
    ...(related.length === 0 ? {} : { related_conversation_ids: [...new Set(related)] }),
    ...(prepared.quarantined ? reviewOf(before, sent) : {}),
    updated_at: now,
  };
  const { source, title } = stored;
  const known = { tags: listOf(before.tags), topics: listOf(before.topics) };
  const titled = title === undefined ? {} : { title };
  return { ...kept, ...(await runYielding(enriching({ source, ...said, metadata: known, ...titled }))) };
}

/** The reason for the review, from the first secret on. */
function reviewOf(before: JsonObject, sent: JsonObject): JsonObject {
  const kinds = new Set([...listOf(before.secret_kinds), ...listOf(sent.secret_kinds)]);
  return { review_reason: secretDetected, secret_kinds: [...kinds] };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/*
 * A conversation stored without message times gets them when the same content is captured again with times, for example
 * by importing the same export again. Known times stay as they are.
 */

/** Whether a capture has message times and the stored conversation has none. */
function tellsTimes(stored: ConversationRow, sent: readonly Message[]): boolean {
  return stored.last_at === undefined && sent.some(({ timestamp }) => timestamp !== undefined);
}

interface Learned {
  /** The stored messages with the times known now. */
  messages: MessageRow[];
  changes: Change[];
}

/** Only when the sent messages match the stored ones from the first on: the position of a partial list is unknown. */
function learnedFrom(messages: readonly MessageRow[], sent: readonly Message[]): Learned {
  const isAligned = messages.every(({ hash }, index) => index >= sent.length || sent[index]?.hash === hash);
  if (!isAligned) return { messages: [...messages], changes: [] };
  const learned = messages.map((message, index) => {
    const timestamp = message.timestamp ?? sent[index]?.timestamp;
    return timestamp === undefined ? message : { ...message, timestamp };
  });
  const changes = learned.flatMap(({ conversation_id, message_index, timestamp }, index): Change[] => {
    if (timestamp === undefined || timestamp === messages[index]?.timestamp) return [];
    const ids = [messageId(conversation_id, message_index)];
    return [{ kind: 'patch', table: 'messages', ids, set: { timestamp } }];
  });
  return { messages: learned, changes };
}

/** Throws WriteConflict when messages were added in the meantime. */
async function learnTimes(service: Service, stored: ConversationRow, sent: readonly Message[]): Promise<void> {
  const messages = (await service.records.conversations.messagesOf([stored.id])).get(stored.id) ?? [];
  const learned = learnedFrom(messages, sent);
  if (learned.changes.length === 0) return;
  const row: ConversationRow = { ...stored, ...spanOf(learned.messages) };
  const statements = await runYielding(extracting({ title: row.title, messages }));
  const chunks = await service.records.chunks.ofConversation(row.id);
  const { id, first_at, last_at, conversation_hash, memory_status } = row;
  await writeWithFacts(service, { row, messages: learned.messages, statements, chunks }, [
    {
      kind: 'patch',
      table: 'conversations',
      ids: [id],
      set: { first_at, last_at },
      when: { conversation_hash, memory_status },
    },
    ...learned.changes,
  ]);
}

import { runYielding } from '../../concurrency/yielding.js';
import { extracting, type Statement } from '../../facts/extract.js';
import { writeWithFacts } from '../../indexing/facts/remember.js';
import { indexNow } from '../../indexing/indexer.js';
import { childRows, spanOf, summaryChange, topicsOf } from '../../indexing/rows.js';
import { conversationHash } from '../../ingestion/hash.js';
import { enriching, type PreparedConversation, secretDetected } from '../../ingestion/prepare.js';
import type { Message, Role } from '../../model/conversation.js';
import type { JsonObject } from '../../model/json.js';
import { timeAfter } from '../../model/time.js';
import { stageInSteps, timed } from '../../observability/stages.js';
import { putTopics } from '../../records/annotations.js';
import { type ChunkRow, type ConversationRow, type MessageRow, messageId } from '../../records/rows.js';
import type { Change } from '../../records/store.js';
import type { Service } from '../service.js';
import type { Append } from './decide.js';
import { type InsertOutcome, outcome } from './outcome.js';

/** Adds the new turns of a trusted capture to the stored conversation. Throws WriteConflict when it changed meanwhile. */
export async function appendMessages(
  service: Service,
  { stored, messages, prepared, from }: Append,
): Promise<InsertOutcome> {
  const now = timeAfter(stored.updated_at, service.now());
  const sent = prepared.conversation.messages;
  const added = sent.slice(from);
  // What is sent again may tell times that were not known when it was stored.
  const learned = learnedFrom(messages, sent);
  const all = [...learned.messages, ...added];
  const earlier = await service.records.chunks.ofConversation(stored.id);
  const quarantined = stored.metadata.review_reason !== undefined;
  const hidden = quarantined || prepared.quarantined;
  const before = { messages, chunkIndex: nextChunkIndex(service, stored, earlier), hidden };
  const rows = childRows(service, stored, added, before);
  const { changes, texts } = await runYielding(stageInSteps(service.observer, 'chunk', rows));
  // With its first secret all of a memory is quarantined.
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
    const told = {
      row,
      messages: all,
      statements: learned.changes.length === 0 ? fresh : statements,
      chunks: [...earlier, ...texts.map(({ chunk }) => chunk)],
    };
    const writing = writeWithFacts(service, told, [
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
        // Also when only its title or tags changed: they would be written over.
        when: { conversation_hash: stored.conversation_hash, updated_at: stored.updated_at },
      },
      ...changes,
      ...learned.changes,
      ...(hidden ? hiding(row.id, toHide) : []),
      summaryChange(row, now),
      ...putTopics(row, topics),
    ]);
    await timed(service.observer, 'metadata_insert', writing);
    // A reindex that included inactive memories may have put it into the vector store.
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

/** Without words in the text index, as a quarantined memory is stored. */
function hiding(conversationId: string, chunks: readonly ChunkRow[]): Change[] {
  const set = { terms: undefined, index_state: 'held' } as const;
  return [
    { kind: 'patch', table: 'chunks', ids: chunks.map(({ id }) => id), set },
    { kind: 'remove', table: 'headings', ids: [conversationId] },
  ];
}

/** After the last chunk; with one chunk per message also after a last message that has no chunk. */
function nextChunkIndex(service: Service, stored: ConversationRow, chunks: readonly ChunkRow[]): number {
  const byMessage = service.settings.chunking.strategy === 'message' ? stored.message_count : 0;
  return Math.max((chunks.at(-1)?.chunk_index ?? -1) + 1, byMessage);
}

/** The stored metadata stands; thread fields fill gaps, related ids add up, and what is generated is generated anew. */
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

/** Why it waits for review, from the first secret on. */
function reviewOf(before: JsonObject, sent: JsonObject): JsonObject {
  const kinds = new Set([...listOf(before.secret_kinds), ...listOf(sent.secret_kinds)]);
  return { review_reason: secretDetected, secret_kinds: [...kinds] };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/*
 * A conversation that was stored without the times of its messages learns them when the same words are captured again
 * with times: an older store by importing the same export once more. Times that are known stay as they are.
 */

/** Whether a capture tells times of a stored conversation that has none. */
export function tellsTimes(stored: ConversationRow, sent: readonly Message[]): boolean {
  return stored.last_at === undefined && sent.some(({ timestamp }) => timestamp !== undefined);
}

interface Learned {
  /** The stored messages with the times that are known now. */
  messages: MessageRow[];
  changes: Change[];
}

/** Only where the sent messages are the stored ones from the first on: of a part of them the places are not known. */
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

/** Throws WriteConflict when messages were added meanwhile. */
export async function learnTimes(service: Service, stored: ConversationRow, sent: readonly Message[]): Promise<void> {
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

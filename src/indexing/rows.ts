import { type ChunkingStrategy, type ChunkSlice, slicing, windowCount } from '../ingestion/chunk.js';
import { chunkId } from '../ingestion/hash.js';
import type { PreparedConversation } from '../ingestion/prepare.js';
import { nameTerms, speakersOf, withoutSpeaker } from '../language/names.js';
import { headingTerms, indexedTerms } from '../language/terms.js';
import { type Message, type Role, scopeOf } from '../model/conversation.js';
import type { JsonObject } from '../model/json.js';
import { finished, type Steps } from '../model/steps.js';
import { utcTime } from '../model/time.js';
import { putHeading, putSpeakers, putSummary, summaryId } from '../records/annotations.js';
import { type Change, type ChunkRow, type ConversationRow, messageId } from '../records/store.js';
import type { Tokenizer } from '../tokenizer/contract.js';

/** The dependencies for splitting messages into chunks. */
export interface Chunking {
  settings: { chunking: { strategy: ChunkingStrategy; maxTokens: number; overlapTokens: number } };
  tokenizer: Tokenizer;
}

/** The row of a new conversation. Hashes have separate columns, so that metadata can be shown unchanged. */
export function conversationRow(
  prepared: PreparedConversation,
  details: { ownerId: string; tokenId?: string | undefined; chunkCount: number; now: string },
): ConversationRow {
  const { id, source, title, timestamp, messages } = prepared.conversation;
  const { conversation_hash, ...metadata } = prepared.conversation.metadata;
  const { thread_id, upstream_thread_id, tags } = metadata;
  return {
    id,
    project_id: prepared.projectId,
    owner_id: details.ownerId,
    ...(details.tokenId === undefined ? {} : { token_id: details.tokenId }),
    source,
    ...(title === undefined ? {} : { title }),
    timestamp,
    at: utcTime(timestamp) ?? details.now,
    ...spanOf(messages),
    conversation_hash,
    ...(thread_id === undefined ? {} : { thread_id }),
    ...(upstream_thread_id === undefined ? {} : { upstream_thread_id }),
    memory_status: prepared.status,
    ...(tags === undefined ? {} : { tags }),
    metadata: metadata as JsonObject,
    message_count: messages.length,
    chunk_count: details.chunkCount,
    created_at: details.now,
    updated_at: details.now,
  };
}

/** From the first to the last message timestamp; empty where no message has one. */
export function spanOf(messages: readonly { timestamp?: string }[]): Pick<ConversationRow, 'first_at' | 'last_at'> {
  const times = messages.flatMap(({ timestamp }) => (timestamp === undefined ? [] : (utcTime(timestamp) ?? []))).sort();
  const [first_at, last_at] = [times[0], times.at(-1)];
  return first_at === undefined || last_at === undefined ? {} : { first_at, last_at };
}

/**
 * Messages and chunks to append to a conversation, numbered on. A generator, because tokenizing large messages is slow.
 */
export function* childRows(
  service: Chunking,
  conversation: Pick<ConversationRow, 'id' | 'project_id' | 'memory_status'>,
  messages: readonly Message[],
  { messages: earlier = [], chunkIndex = 0, hidden = false }: Partial<Before> & { hidden?: boolean } = {},
): Steps<{ changes: Change[]; texts: { chunk: ChunkRow; text: string }[] }> {
  const before = { messages: earlier, chunkIndex };
  const texts = yield* chunking(service, conversation, messages, before);
  const chunkChanges: Change[] = [];
  for (const each of texts) {
    // Hidden: its words are not indexed before it is approved.
    chunkChanges.push(hidden ? wordless(each) : yield* chunkChanging(each));
    yield;
  }
  const names = texts.flatMap(({ chunk }) => (chunk.speaker === undefined ? [] : nameTerms(chunk.speaker)));
  return {
    changes: [
      ...messageChanges(conversation.id, messages, earlier.length),
      ...chunkChanges,
      ...putSpeakers(conversation.project_id, names),
    ],
    texts,
  };
}

/** What a conversation already contains when messages are appended. */
interface Before {
  messages: readonly { text: string }[];
  chunkIndex: number;
}

/** The chunks of messages with their text. Speakers are detected from the whole conversation. */
export function chunksOf(...given: Parameters<typeof chunking>): { chunk: ChunkRow; text: string }[] {
  return finished(chunking(...given));
}

function* chunking(
  service: Chunking,
  conversation: Pick<ConversationRow, 'id' | 'project_id' | 'memory_status'>,
  messages: readonly { role: Role; text: string }[],
  before: Before = { messages: [], chunkIndex: 0 },
): Steps<{ chunk: ChunkRow; text: string }[]> {
  const { chunking: settings } = service.settings;
  const first = { messageIndex: before.messages.length, chunkIndex: before.chunkIndex };
  const speakers = speakersOf([...before.messages, ...messages].map(({ text }) => text));
  yield;
  const slices = yield* slicing(messages, { ...settings, tokenizer: service.tokenizer }, first);
  const chunks: { chunk: ChunkRow; text: string }[] = [];
  for (const slice of slices) {
    const text = (messages[slice.messageIndex - first.messageIndex]?.text ?? '').slice(slice.start, slice.end);
    const speaker = speakers[slice.messageIndex];
    // A token window never exceeds the configured size; a whole message may.
    const windows = settings.strategy === 'message' ? windowCount(withoutSpeaker(text, speaker)) : 1;
    chunks.push({ chunk: chunkRow(conversation, slice, { speaker, windows }), text });
    yield;
  }
  return chunks;
}

function messageChanges(conversationId: string, messages: readonly Message[], firstIndex: number): Change[] {
  return messages.map((message, offset) => {
    const message_index = firstIndex + offset;
    const row = {
      id: messageId(conversationId, message_index),
      conversation_id: conversationId,
      message_index,
      ...message,
    };
    return { kind: 'insert', table: 'messages', row };
  });
}

function chunkRow(
  conversation: Pick<ConversationRow, 'id' | 'project_id' | 'memory_status'>,
  slice: ChunkSlice,
  { speaker, windows }: { speaker: string | undefined; windows: number },
): ChunkRow {
  return {
    id: chunkId(conversation.id, slice.chunkIndex),
    conversation_id: conversation.id,
    scope: scopeOf(conversation.project_id, conversation.memory_status),
    chunk_index: slice.chunkIndex,
    message_index: slice.messageIndex,
    role: slice.role,
    ...(speaker === undefined ? {} : { speaker }),
    start: slice.start,
    end: slice.end,
    ...(windows === 1 ? {} : { windows }),
    index_state: conversation.memory_status === 'active' ? 'pending' : 'held',
  };
}

/** A chunk with its search terms. `put`, because a reindex writes the same chunk again. */
export function chunkChange(of: { chunk: ChunkRow; text: string }): Change {
  return finished(chunkChanging(of));
}

function* chunkChanging({ chunk, text }: { chunk: ChunkRow; text: string }): Steps<Change> {
  return { kind: 'put', table: 'chunks', row: { ...chunk, terms: yield* indexedTerms(text) } };
}

function wordless({ chunk }: { chunk: ChunkRow }): Change {
  return { kind: 'put', table: 'chunks', row: chunk };
}

export function headingChange(row: ConversationRow): Change {
  return putHeading(row, headingTerms(row));
}

/** The generated summary is stored separately from the messages; the conversation's metadata repeats its text. */
export function summaryChange(row: ConversationRow, now: string): Change {
  return putSummary({
    id: summaryId(row.project_id, 'conversation', row.id),
    project_id: row.project_id,
    kind: 'conversation',
    target_id: row.id,
    text: String(row.metadata.generated_summary ?? ''),
    conversation_ids: [row.id],
    generated_at: now,
  });
}

export function topicsOf(row: Pick<ConversationRow, 'metadata'>): string[] {
  return Array.isArray(row.metadata.topics) ? row.metadata.topics.map(String) : [];
}

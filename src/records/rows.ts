import type { MemoryStatus, Role } from '../model/conversation.js';
import type { JsonObject } from '../model/json.js';

/** The rows behind model/tables.ts, as the rest of the house sees them. */
export interface ConversationRow {
  id: string;
  project_id: string;
  owner_id: string;
  token_id?: string;
  source: string;
  title?: string;
  timestamp: string;
  at: string;
  first_at?: string;
  last_at?: string;
  conversation_hash: string;
  thread_id?: string;
  upstream_thread_id?: string;
  memory_status: MemoryStatus;
  tags?: string[];
  metadata: JsonObject;
  message_count: number;
  chunk_count: number;
  tagged?: number;
  created_at: string;
  updated_at: string;
}

export interface MessageRow {
  id: string;
  conversation_id: string;
  message_index: number;
  role: Role;
  text: string;
  timestamp?: string;
  hash: string;
}

/**
 * `pending`: to be embedded and written to the vector store. `indexed`: done. `held`: its memory waits for review or
 * was rejected, so it stays out of the vector store.
 */
export type IndexState = 'pending' | 'indexed' | 'held';

export interface ChunkRow {
  id: string;
  conversation_id: string;
  scope: string;
  chunk_index: number;
  message_index: number;
  role: Role;
  speaker?: string;
  start: number;
  end: number;
  /** How many vectors it has; absent: one. */
  windows?: number;
  index_state: IndexState;
}

export interface TopicRow {
  id: string;
  project_id: string;
  topic: string;
  conversation_id: string;
  at: string;
}

export interface SummaryRow {
  id: string;
  project_id: string;
  kind: 'conversation' | 'topic' | 'project';
  target_id: string;
  text: string;
  conversation_ids: string[];
  generated_at: string;
}

/** Zero-padded so that ids of one conversation sort in the order of its messages. */
export function messageId(conversationId: string, messageIndex: number): string {
  return `${conversationId}:${String(messageIndex).padStart(6, '0')}`;
}

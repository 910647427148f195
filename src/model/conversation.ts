import type { Json } from './json.js';
import { utcTime } from './time.js';

export type Role = 'user' | 'assistant';

export const saveIntents = ['explicit_user_request', 'user_confirmed', 'client_auto_save'] as const;
export type SaveIntent = (typeof saveIntents)[number];

export const memoryStatuses = ['active', 'pending_review', 'rejected'] as const;
export type MemoryStatus = (typeof memoryStatuses)[number];

export interface Message {
  role: Role;
  text: string;
  /** When it was said, as sent: RFC 3339 or a plain date. Part of no hash. */
  timestamp?: string;
  /** Server-owned, never shown outside. */
  hash: string;
}

/** Known keys are typed; every other key of the client is kept untouched. */
export interface Metadata {
  summary?: string;
  tags?: string[];
  topics?: string[];
  auto_tags?: string[];
  tag_sources?: Record<string, string[]>;
  generated_summary?: string;
  upstream_thread_id?: string;
  thread_id?: string;
  parent_conversation_id?: string;
  related_conversation_ids?: string[];
  save_intent?: SaveIntent;
  save_intent_source?: string;
  imported_at: string;
  updated_at: string;
  conversation_hash: string;
  [key: string]: Json | undefined;
}

export interface Conversation {
  id: string;
  source: string;
  title?: string;
  /** As sent: RFC 3339 or a plain date. */
  timestamp: string;
  messages: Message[];
  metadata: Metadata;
}

/**
 * What a later capture of the same words said about them, where it is not what was known: the conversation is found by it
 * as by its own source, thread, title, tags and time.
 */
export type Alias = {
  source: string;
  title?: string;
  /** As sent; absent where the capture did not say. */
  timestamp?: string;
  thread_id?: string;
  upstream_thread_id?: string;
  tags?: string[];
  added_at: string;
};

/** A moment as it was sent, and in UTC, where times of any offset compare as text. */
export interface Moment {
  timestamp: string;
  at: string;
}

/** When a message was said: its own time where that is known, else its conversation's. */
export function timeOf(message: { timestamp?: string | undefined }, conversation: Moment): Moment {
  const { timestamp } = message;
  const at = timestamp === undefined ? undefined : utcTime(timestamp);
  if (timestamp === undefined || at === undefined) return { timestamp: conversation.timestamp, at: conversation.at };
  return { timestamp, at };
}

/**
 * The scope of a chunk: its project, and its memory status unless that is active. Stores filter by it, so neither
 * another project's chunk nor a pending one can ever fill a caller's candidate list.
 */
export function scopeOf(projectId: string, status: MemoryStatus): string {
  return status === 'active' ? `project:${projectId}` : `project:${projectId}:${status}`;
}

/** Every scope of a project: the statistics of its words are counted in all of them and nowhere else. */
export function projectScopes(projectId: string): string[] {
  return memoryStatuses.map((status) => scopeOf(projectId, status));
}

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
  /** When it was said, as sent: RFC 3339 or a plain date. Not part of any hash. */
  timestamp?: string;
  /** Set by the server and never exposed. */
  hash: string;
}

/** Known keys are typed; the client's other keys are kept unchanged. */
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
 * Metadata of a later capture of the same messages that differs from the stored one: the conversation is also found by
 * this source, thread, title, tags and time.
 */
export type Alias = {
  source: string;
  title?: string;
  /** As sent; absent if the capture had none. */
  timestamp?: string;
  thread_id?: string;
  upstream_thread_id?: string;
  tags?: string[];
  added_at: string;
};

/** A time as sent, and in UTC, in which times of any offset compare as text. */
export interface Moment {
  timestamp: string;
  at: string;
}

/** When a message was said: its own time if known, else its conversation's. */
export function timeOf(message: { timestamp?: string | undefined }, conversation: Moment): Moment {
  const { timestamp } = message;
  const at = timestamp === undefined ? undefined : utcTime(timestamp);
  if (timestamp === undefined || at === undefined) return { timestamp: conversation.timestamp, at: conversation.at };
  return { timestamp, at };
}

/**
 * The partition of a chunk: its project, and its memory status unless that is active. Stores filter by it, so another
 * project's chunks or pending ones can never fill a caller's candidate list.
 */
export function scopeOf(projectId: string, status: MemoryStatus): string {
  return status === 'active' ? `project:${projectId}` : `project:${projectId}:${status}`;
}

/** All partitions of a project: word statistics are counted over exactly these. */
export function projectScopes(projectId: string): string[] {
  return memoryStatuses.map((status) => scopeOf(projectId, status));
}

/** The values of `limits.*` in the configuration. */
export interface Limits {
  maxMessages: number;
  maxMessageBytes: number;
  maxBodyBytes: number;
  maxImportBytes: number;
  maxMetadataBytes: number;
  maxSourceLength: number;
  maxTitleLength: number;
  maxSummaryLength: number;
  maxTopK: number;
  maxDepth: number;
}

import { createHash } from 'node:crypto';
import type { Role, SaveIntent } from './conversation.js';
import type { JsonObject } from './json.js';
import { normalForm } from './text.js';

export const factConfidences = ['high', 'medium', 'low'] as const;
export type FactConfidence = (typeof factConfidences)[number];

export const factStatuses = ['active', 'superseded'] as const;
export type FactStatus = (typeof factStatuses)[number];

export const sourceQualities = [
  'direct_user_statement',
  'corrected_by_user',
  'assistant_statement',
  'inferred_from_conversation',
] as const;
export type SourceQuality = (typeof sourceQualities)[number];

/** One sentence that states a fact or ends it. Everything else about a fact is derived from its sources. */
export interface FactSource {
  conversation_id: string;
  message_index: number;
  chunk_index: number;
  /** The sentence, as a slice of the message's text. */
  start: number;
  end: number;
  /** The source of the conversation, such as `claude`. */
  source: string;
  /** When the message was said, in UTC: facts are dated by what was said, not by when it was stored. */
  stated_at: string;
  role: Role;
  /** The value as written in the sentence. */
  object_raw: string;
  /** The sentence says that the fact is no longer true. */
  ends?: true;
  /** The sentence is marked as a correction. */
  correction?: true;
  /** The value it replaces, as an object key. */
  corrects?: string;
  /** Not stated by anyone: inferred from the topic of the conversation. */
  inferred?: true;
  /** Stated with doubt: "I think". */
  hedged?: true;
  /** Found in pasted or quoted text, so it may be someone else's statement. */
  pasted?: true;
  /** Extracted by the tagging model, which is wrong too often for the fact to count as a direct statement. */
  guessed?: true;
  /** The user entered the value by hand: no message states it, so `conversation_id` is empty. */
  by_hand?: true;
  save_intent?: SaveIntent;
  save_intent_source?: string;
}

/**
 * A manual change to a fact. Changes are stored like sources and the rest is derived from them, so undoing one means
 * leaving it out. `added` comes with a source of the same time; `corrected` comes with `added` on the replacing fact.
 */
export type FactChange =
  | { kind: 'added'; at: string; corrects?: string; pinned?: true }
  | { kind: 'corrected'; at: string; by: string }
  | { kind: 'retracted'; at: string /** Until when it was so; absent when it never was. */; until?: string }
  | { kind: 'pinned' | 'unpinned'; at: string }
  /** These sentences do not state the fact after all. They are kept here, so that they can come back or be forgotten. */
  | { kind: 'detached'; at: string; sources: FactSource[] };

export const factChangeKinds = ['added', 'corrected', 'retracted', 'pinned', 'unpinned', 'detached'] as const;

/** A fact as stored. Optional fields are absent rather than null. */
export interface Fact {
  id: string;
  project_id: string;
  owner_id: string;
  /** `user` for the speaker, otherwise a name or a project's title. */
  subject: string;
  subject_key: string;
  predicate: string;
  object_raw: string;
  object_normalized: string;
  /** Normalised for comparison: equal keys are the same value. */
  object_key: string;
  qualifiers: JsonObject;
  source_quality: SourceQuality;
  confidence: FactConfidence;
  confidence_reason: string;
  status: FactStatus;
  /** The newest message that states it. */
  stated_at: string;
  /** The oldest message that states it. */
  created_at: string;
  updated_at: string;
  /** The newest statement by the user, when there is one. */
  last_confirmed_at: string;
  superseded_at?: string;
  superseded_by?: string;
  /** When a source last ended something: this fact, or the one it corrects. */
  ended_at?: string;
  /** Superseded by a caller, not by a newer statement. */
  superseded_by_hand?: { superseded_by: string; superseded_at: string };
  /** Manual changes, oldest first. */
  changes?: FactChange[];
  /** When it was pinned; derived from the changes and stored so that pinned facts can be listed first. */
  pinned_at?: string;
  save_intent?: SaveIntent;
  save_intent_source?: string;
  sources: FactSource[];
  source_names: string[];
  conversation_ids: string[];
}

export const factIdPattern = /^fact_[0-9a-f]{32}$/;

/** Whether the user stated it directly: not the assistant, not pasted text, not a model's guess. */
export function isPlainlySaid({ role, pasted, guessed }: Pick<FactSource, 'role' | 'pasted' | 'guessed'>): boolean {
  return role === 'user' && pasted !== true && guessed !== true;
}

/** A total order of statements: by time, then by place. */
export function compareSources(one: FactSource, other: FactSource): number {
  return (
    compare(one.stated_at, other.stated_at) ||
    compare(one.conversation_id, other.conversation_id) ||
    one.message_index - other.message_index ||
    one.start - other.start ||
    compare(one.object_raw, other.object_raw) ||
    Number(one.ends ?? false) - Number(other.ends ?? false)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Deterministic: the same statement always has the same id. */
export function factId(key: { projectId: string; subjectKey: string; predicate: string; objectKey: string }): string {
  const parts = [key.projectId, key.subjectKey, key.predicate, key.objectKey];
  return `fact_${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)}`;
}

/** Subjects are compared without case and spacing. */
export function subjectKeyOf(subject: string): string {
  return normalForm(subject, 'NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The newest facts of a group, up to this many, are evaluated together; older values keep their last evaluation. */
export const largestGroup = 500;

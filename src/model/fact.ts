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

/** One sentence that states a fact, or says that it is over. Everything else about a fact follows from its sources. */
export interface FactSource {
  conversation_id: string;
  message_index: number;
  chunk_index: number;
  /** The sentence: a slice of the message's text. */
  start: number;
  end: number;
  /** The source of the conversation, such as `claude`. */
  source: string;
  /** When the message was said, in UTC: facts live in the time of what was said, not of when it was stored. */
  stated_at: string;
  role: Role;
  /** The words of the value as they stand in the sentence. */
  object_raw: string;
  /** The sentence says that it is no longer so. */
  ends?: true;
  /** The sentence calls itself a correction. */
  correction?: true;
  /** The value it replaces, as an object key. */
  corrects?: string;
  /** Nobody said it: it follows from what the conversation is about. */
  inferred?: true;
  /** Said with a doubt: "I think". */
  hedged?: true;
  /** It stands in pasted or quoted text, so it may be somebody else's words. */
  pasted?: true;
  /** The tagging model read it off the message; it is wrong too often to count as plainly said. */
  guessed?: true;
  /** The user entered the value: no message states it, so `conversation_id` is empty. */
  by_hand?: true;
  save_intent?: SaveIntent;
  save_intent_source?: string;
}

/**
 * What a user did to a fact. Like its sources, the changes are kept and everything else follows from them, so that undoing
 * one is leaving it out. `added` comes with a source of the same time; `corrected` with `added` on the fact that took its place.
 */
export type FactChange =
  | { kind: 'added'; at: string; corrects?: string; pinned?: true }
  | { kind: 'corrected'; at: string; by: string }
  | { kind: 'retracted'; at: string /** Until when it was so; absent when it never was. */; until?: string }
  | { kind: 'pinned' | 'unpinned'; at: string };

export const factChangeKinds = ['added', 'corrected', 'retracted', 'pinned', 'unpinned'] as const;

/** A fact as stored. Optional fields are absent rather than null. */
export interface Fact {
  id: string;
  project_id: string;
  owner_id: string;
  /** `user` for the speaker, else a name or the title of a project. */
  subject: string;
  subject_key: string;
  predicate: string;
  object_raw: string;
  object_normalized: string;
  /** Folded for comparison: equal keys are the same value. */
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
  /** When a source last said that something is over: this, or what it corrects. */
  ended_at?: string;
  /** Superseded by a caller rather than by what was said. */
  superseded_by_hand?: { superseded_by: string; superseded_at: string };
  /** What users did to it, oldest first. */
  changes?: FactChange[];
  /** Since when it is pinned; follows from the changes, and is kept for listing pinned facts first. */
  pinned_at?: string;
  save_intent?: SaveIntent;
  save_intent_source?: string;
  sources: FactSource[];
  source_names: string[];
  conversation_ids: string[];
}

export const factIdPattern = /^fact_[0-9a-f]{32}$/;

/** Whether the person plainly said it: neither the assistant nor a pasted text, and no guess of a model. */
export function isPlainlySaid({ role, pasted, guessed }: Pick<FactSource, 'role' | 'pasted' | 'guessed'>): boolean {
  return role === 'user' && pasted !== true && guessed !== true;
}

/** The same statement has the same id wherever and whenever it is heard. */
export function factId(key: { projectId: string; subjectKey: string; predicate: string; objectKey: string }): string {
  const parts = [key.projectId, key.subjectKey, key.predicate, key.objectKey];
  return `fact_${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)}`;
}

/** Subjects are compared without regard to case and spacing. */
export function subjectKeyOf(subject: string): string {
  return normalForm(subject, 'NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** How many facts of one group are read and judged together, the newest; older values than these stay as they were judged. */
export const largestGroup = 500;

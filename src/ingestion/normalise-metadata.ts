import { invalidInput } from '../model/errors.js';
import { canonicalUuid } from '../model/ids.js';
import type { Json } from '../model/json.js';
import type { Limits } from '../model/limits.js';
import { isTextWithin } from '../model/text-length.js';
import { utcTime } from '../model/time.js';

/** Metadata as the client may set it, with the times that the server owns; hashes and generated keys come later. */
export interface NormalisedMetadata {
  imported_at: string;
  updated_at: string;
  summary?: string;
  tags?: string[];
  topics?: string[];
  thread_id?: string;
  upstream_thread_id?: string;
  parent_conversation_id?: string;
  related_conversation_ids?: string[];
  save_intent?: string;
  save_intent_source?: string;
  [key: string]: Json | undefined;
}

interface MetadataSettings {
  limits: Pick<Limits, 'max_metadata_bytes' | 'max_summary_length'>;
  now: string;
  source: string;
}

/** Server-owned: replaced or dropped, never trusted. */
const serverOwned = [
  'conversation_hash',
  'message_hashes',
  'updated_at',
  'auto_tags',
  'tag_sources',
  'owner_id',
  'project_id',
  'memory_status',
  'index_chunks',
  'approved_at',
  'rejected_at',
  'review_reason',
  'secret_kinds',
];

/** Known optional fields, for which null is an error; a null inside other metadata is the client's own business. */
const optionalStrings = [
  'save_intent',
  'save_intent_source',
  'platform',
  'capture_client',
  'capture_client_version',
  'model',
  'timezone',
];

export function normaliseMetadata(metadata: Record<string, unknown>, settings: MetadataSettings): NormalisedMetadata {
  const size = Buffer.byteLength(JSON.stringify(metadata));
  if (size > settings.limits.max_metadata_bytes) {
    throw invalidInput(
      'metadata',
      `must be at most ${settings.limits.max_metadata_bytes} bytes (limits.max_metadata_bytes)`,
    );
  }
  const kept: Record<string, unknown> = { ...metadata };
  for (const key of serverOwned) delete kept[key];
  for (const key of Object.keys(kept)) if (key.startsWith('generated_')) delete kept[key];
  for (const key of optionalStrings) checkString(kept[key], key);
  replace(kept, 'summary', summaryOf(kept.summary, settings.limits.max_summary_length));
  replace(kept, 'tags', stringList(kept.tags, 'tags'));
  replace(kept, 'topics', stringList(kept.topics, 'topics'));
  // The client's thread stays as sent; ours has no blanks around it.
  const upstream = threadField(kept.upstream_thread_id, 'upstream_thread_id', 256);
  const derived = upstream === undefined ? undefined : `${settings.source}:${upstream.trim()}`;
  replace(kept, 'upstream_thread_id', upstream);
  replace(kept, 'thread_id', threadField(kept.thread_id, 'thread_id', 512)?.trim() ?? derived);
  replace(kept, 'parent_conversation_id', uuidField(kept.parent_conversation_id, 'parent_conversation_id'));
  replace(kept, 'related_conversation_ids', uuidList(kept.related_conversation_ids));
  const importedAt =
    typeof kept.imported_at === 'string' && utcTime(kept.imported_at) ? kept.imported_at : settings.now;
  return { ...(kept as NormalisedMetadata), imported_at: importedAt, updated_at: settings.now };
}

function replace(target: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}

function checkString(value: unknown, key: string): void {
  if (value === undefined || typeof value === 'string') return;
  throw invalidInput(`metadata.${key}`, value === null ? 'must be omitted rather than null' : 'must be a string');
}

function summaryOf(value: unknown, maxLength: number): string | undefined {
  checkString(value, 'summary');
  if (typeof value !== 'string') return undefined;
  if ([...value].length > maxLength) {
    throw invalidInput('metadata.summary', `must be at most ${maxLength} characters long`);
  }
  const clean = value.replace(/\s+/g, ' ').trim();
  return clean === '' ? undefined : clean;
}

function stringList(value: unknown, key: string): string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw invalidInput(
    `metadata.${key}`,
    value === null ? 'must be omitted rather than null' : 'must be an array of strings',
  );
}

function threadField(value: unknown, key: string, maxLength: number): string | undefined {
  checkString(value, key);
  if (typeof value !== 'string') return undefined;
  if (!isTextWithin(value, maxLength))
    throw invalidInput(`metadata.${key}`, `must be at most ${maxLength} characters long`);
  return value.trim() === '' ? undefined : value;
}

function uuidField(value: unknown, key: string): string | undefined {
  checkString(value, key);
  if (typeof value !== 'string') return undefined;
  const canonical = canonicalUuid(value);
  if (canonical === undefined) throw invalidInput(`metadata.${key}`, 'must be a valid UUID');
  return canonical;
}

function uuidList(value: unknown): string[] | undefined {
  const key = 'related_conversation_ids';
  const ids = (stringList(value, key) ?? []).flatMap((each) => uuidField(each, key) ?? []);
  return ids.length === 0 ? undefined : [...new Set(ids)];
}

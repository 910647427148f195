import type { Limits, Role } from '../model/conversation.js';
import { invalidInput } from '../model/errors.js';
import { canonicalUuid } from '../model/ids.js';
import { isObject, type Json, jsonPieces } from '../model/json.js';
import { suggestion } from '../model/parse.js';
import { finished, type Steps } from '../model/steps.js';
import { isTextWithin, storableText, storingObject } from '../model/text.js';
import { utcTime } from '../model/time.js';
import type { CoercedConversation } from './coerce.js';

/*
 * Converts a coerced conversation to its stored form: fields, messages, metadata and times.
 */

export interface NormalisedConversation {
  id: string;
  /** True when the client chose the id: it must not collide with other content. */
  explicitId: boolean;
  source: string;
  title?: string;
  timestamp: string;
  messages: NormalisedMessage[];
  metadata: NormalisedMetadata;
}

interface NormaliseSettings {
  limits: Limits;
  defaultSource: string;
  now: string;
  newId: () => string;
}

/** Gives a conversation its id, canonical roles, clean text and metadata. Idempotent. Yields after each message. */
export function* normalising(coerced: CoercedConversation, settings: NormaliseSettings): Steps<NormalisedConversation> {
  const { limits, now } = settings;
  const id = identify(coerced.id);
  const source = text(coerced.source ?? settings.defaultSource, 'source', limits.maxSourceLength);
  if (source === '') throw invalidInput('source', 'must not be blank');
  const title = coerced.title === undefined ? '' : text(coerced.title, 'title', limits.maxTitleLength);
  return {
    id: id ?? settings.newId(),
    explicitId: id !== undefined,
    source,
    ...(title === '' ? {} : { title }),
    timestamp: coerced.timestamp === undefined ? now : normaliseTimestamp(coerced.timestamp, 'timestamp'),
    messages: yield* normaliseMessages(coerced.messages, limits.maxMessageBytes),
    // Before hashing: the hash must match the stored content, or a repeated insert would not be recognized.
    metadata: yield* normalisingMetadata(coerced.metadata, { limits, now, source }),
  };
}

/** The same without yielding. */
export function normalise(coerced: CoercedConversation, settings: NormaliseSettings): NormalisedConversation {
  return finished(normalising(coerced, settings));
}

function identify(id: unknown): string | undefined {
  if (id === undefined) return undefined;
  const canonical = typeof id === 'string' ? canonicalUuid(id) : undefined;
  if (canonical === undefined) throw invalidInput('id', 'must be a valid UUID; leave it out to have one assigned');
  return canonical;
}

function text(value: unknown, path: string, maxLength: number): string {
  if (typeof value !== 'string') throw invalidInput(path, 'must be a string');
  const clean = storableText(value).trim();
  if ([...clean].length > maxLength) throw invalidInput(path, `must be at most ${maxLength} characters long`);
  return clean;
}

export interface NormalisedMessage {
  role: Role;
  text: string;
  timestamp?: string;
}

/** A map, because an object would also have a value for "constructor". */
export const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['user', 'user'],
  ['human', 'user'],
  ['user_message', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['model', 'assistant'],
  ['assistant_message', 'assistant'],
]);

const knownKeys = new Set(['role', 'text', 'content', 'timestamp', 'hash']);

/**
 * Repeated identical turns are kept: saying "yes" twice is part of the conversation. Turns without text, such as a
 * shared picture or an interrupted answer, are kept too as long as some turn has text: rejecting them would lose the
 * rest.
 */
function* normaliseMessages(messages: readonly unknown[], maxBytes: number): Steps<NormalisedMessage[]> {
  const normal: NormalisedMessage[] = [];
  for (const [index, message] of messages.entries()) {
    normal.push(normaliseMessage(message, `messages[${index}]`, maxBytes));
    yield;
  }
  if (normal.some(({ text }) => /\S/.test(text))) return normal;
  throw invalidInput('messages[0].text', 'must contain text in at least one message');
}

function normaliseMessage(message: unknown, path: string, maxBytes: number): NormalisedMessage {
  if (!isObject(message)) throw invalidInput(path, 'must be an object with role and text');
  for (const [key, value] of Object.entries(message)) {
    if (!knownKeys.has(key)) {
      throw invalidInput(`${path}.${key}`, `is not a field of a message${suggestion(key, knownKeys)}`);
    }
    if (value === null) throw invalidInput(`${path}.${key}`, 'must be omitted rather than null');
  }
  // The client's hash is dropped: the server computes its own, and a wrong one must not be stored.
  const normal = { role: roleOf(message.role, path), text: textOf(message, path, maxBytes) };
  if (message.timestamp === undefined) return normal;
  return { ...normal, timestamp: normaliseTimestamp(message.timestamp, `${path}.timestamp`) };
}

function roleOf(role: unknown, path: string): Role {
  const known = typeof role === 'string' ? roles.get(role.trim().toLowerCase()) : undefined;
  if (known === undefined) {
    throw invalidInput(`${path}.role`, 'must be user or assistant (or human, ai, bot, model); send no other turns');
  }
  return known;
}

/** A turn with neither key has no text. */
function textOf({ text, content }: Record<string, unknown>, path: string, maxBytes: number): string {
  if (text !== undefined && content !== undefined && text !== content) {
    throw invalidInput(`${path}.content`, 'is another name for text and differs from it; send one of the two');
  }
  const named = `${path}.${text === undefined && content !== undefined ? 'content' : 'text'}`;
  const sent = text ?? content ?? '';
  if (typeof sent !== 'string') throw invalidInput(named, 'must be a string');
  const clean = storableText(sent).replace(/^[\uFEFF\r\n]+|(?<![\uFEFF\r\n])[\uFEFF\r\n]+$/g, '');
  if (Buffer.byteLength(clean) > maxBytes) {
    throw invalidInput(named, `must be at most ${maxBytes} bytes (limits.max_message_bytes)`);
  }
  return clean;
}

/** Metadata that the client may set, plus the server's own times; hashes and generated keys are added later. */
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
  limits: Pick<Limits, 'maxMetadataBytes' | 'maxSummaryLength'>;
  now: string;
  source: string;
}

/** Owned by the server: replaced or dropped, never trusted. */
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

/** Known optional fields, for which null is an error; nulls inside other metadata are kept. */
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
  return finished(normalisingMetadata(metadata, settings));
}

/** The same in steps. */
function* normalisingMetadata(
  metadata: Record<string, unknown>,
  settings: MetadataSettings,
): Steps<NormalisedMetadata> {
  const kept = yield* storingObject(metadata);
  yield* checkSize(kept, settings.limits.maxMetadataBytes);
  for (const key of serverOwned) delete kept[key];
  for (const key of Object.keys(kept)) if (key.startsWith('generated_')) delete kept[key];
  for (const key of optionalStrings) checkString(kept[key], key);
  replace(kept, 'summary', summaryOf(kept.summary, settings.limits.maxSummaryLength));
  replace(kept, 'tags', stringList(kept.tags, 'tags'));
  replace(kept, 'topics', stringList(kept.topics, 'topics'));
  // The client's thread id is kept as sent; the one used for lookup is trimmed.
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

function* checkSize(metadata: Record<string, unknown>, maxBytes: number): Steps<void> {
  let size = 0;
  for (const piece of jsonPieces(metadata)) {
    size += Buffer.byteLength(piece);
    if (size > maxBytes) {
      throw invalidInput('metadata', `must be at most ${maxBytes} bytes (limits.max_metadata_bytes)`);
    }
    yield;
  }
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

/** Validates the time of a conversation or a message; it is kept as sent. */
function normaliseTimestamp(timestamp: unknown, path: string): string {
  if (typeof timestamp === 'string' && utcTime(timestamp) !== undefined) return timestamp.trim();
  throw invalidInput(path, 'must be an RFC 3339 time such as 2026-11-15T09:30:00Z, or a date such as 2026-11-15');
}

import { invalidInput } from '../model/errors.js';
import { canonicalUuid } from '../model/ids.js';
import type { Limits } from '../model/limits.js';
import { storableJson, storableText } from '../model/text.js';
import type { CoercedConversation } from './coerce.js';
import { type NormalisedMessage, normaliseMessages } from './normalise-messages.js';
import { type NormalisedMetadata, normaliseMetadata } from './normalise-metadata.js';
import { normaliseTimestamp } from './normalise-timestamp.js';

export interface NormalisedConversation {
  id: string;
  /** True when the client chose the id: it must then not collide with other content. */
  explicitId: boolean;
  source: string;
  title?: string;
  timestamp: string;
  messages: NormalisedMessage[];
  metadata: NormalisedMetadata;
}

export interface NormaliseSettings {
  limits: Limits;
  defaultSource: string;
  now: string;
  newId: () => string;
}

/** Gives a conversation its id, canonical roles, clean text and metadata. Idempotent. */
export function normalise(coerced: CoercedConversation, settings: NormaliseSettings): NormalisedConversation {
  const { limits, now } = settings;
  const id = identify(coerced.id);
  const source = text(coerced.source ?? settings.defaultSource, 'source', limits.max_source_length);
  if (source === '') throw invalidInput('source', 'must not be blank');
  const title = coerced.title === undefined ? '' : text(coerced.title, 'title', limits.max_title_length);
  return {
    id: id ?? settings.newId(),
    explicitId: id !== undefined,
    source,
    ...(title === '' ? {} : { title }),
    timestamp: coerced.timestamp === undefined ? now : normaliseTimestamp(coerced.timestamp, 'timestamp'),
    messages: normaliseMessages(coerced.messages, limits.max_message_bytes),
    // Before the hashes: what is stored must be what was hashed, or it is not known again.
    metadata: normaliseMetadata(storableJson(coerced.metadata), { limits, now, source }),
  };
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

import type { Limits } from '../model/conversation.js';
import { invalidInput } from '../model/errors.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Steps } from '../model/steps.js';
import type { NormalisedConversation, NormalisedMetadata } from './normalise.js';
import { findSecrets, isMark, isSecretUnder, markOf, type SecretKind } from './secrets.js';
import { cut } from './summarise.js';

export type SecretPolicy = 'off' | 'redact' | 'quarantine';

interface SecretPolicySettings {
  policy: SecretPolicy;
  limits: Pick<Limits, 'maxTitleLength' | 'maxSummaryLength'>;
}

interface PolicyResult {
  conversation: NormalisedConversation;
  /** The number of secrets that were replaced. */
  redacted: number;
  /** The kinds of secrets that require a review; empty when none does. */
  quarantined: SecretKind[];
  /** Indexes of the messages with such secrets. */
  secretTurns: number[];
}

/** Finds secrets in every text of a conversation and applies the policy; yields after each message. */
export function* applyingSecretPolicy(
  conversation: NormalisedConversation,
  { policy, limits }: SecretPolicySettings,
): Steps<PolicyResult> {
  if (policy === 'off') return { conversation, redacted: 0, quarantined: [], secretTurns: [] };
  refuseSecret(conversation.source, 'source');
  const redaction = startRedaction();
  const { title, messages, metadata } = conversation;
  const texts: string[] = [];
  for (const message of messages) {
    texts.push(redaction.text(message.text));
    yield;
  }
  const redacted: NormalisedConversation = {
    ...conversation,
    ...(title === undefined ? {} : { title: cut(redaction.text(title), limits.maxTitleLength) }),
    messages: messages.map((message, index) => ({ ...message, text: texts[index] ?? '' })),
    metadata: yield* redactingMetadata(metadata, redaction, limits.maxSummaryLength),
  };
  const { count, kinds } = redaction;
  if (policy === 'quarantine') {
    const secretTurns = messages.flatMap(({ text }, index) => (texts[index] === text ? [] : [index]));
    return { conversation, redacted: 0, quarantined: [...kinds], secretTurns };
  }
  return { conversation: count === 0 ? conversation : redacted, redacted: count, quarantined: [], secretTurns: [] };
}

/** The same for a new title and new tags. They cannot be held for review, so under quarantine a secret is rejected. */
export function applySecretPolicyToHeading<T extends { title?: string | undefined; add_tags?: string[] | undefined }>(
  heading: T,
  { policy, limits }: SecretPolicySettings,
): T {
  const { title, add_tags: tags } = heading;
  if (policy === 'off') return heading;
  if (policy === 'quarantine') {
    refuseSecret(title ?? '', 'title');
    for (const [index, tag] of (tags ?? []).entries()) refuseSecret(tag, `add_tags[${index}]`);
    return heading;
  }
  const { text } = startRedaction();
  return {
    ...heading,
    ...(title === undefined ? {} : { title: cut(text(title), limits.maxTitleLength) }),
    ...(tags === undefined ? {} : { add_tags: tags.map(text) }),
  };
}

/** The same for a short text entered by a caller, such as the value of a fact. */
export function applySecretPolicyToText(
  text: string,
  path: string,
  { secretPolicy: policy }: { secretPolicy: SecretPolicy },
): string {
  if (policy === 'off') return text;
  if (policy === 'quarantine') {
    refuseSecret(text, path);
    return text;
  }
  return startRedaction().text(text);
}

/** For fields that can be neither redacted, because equal redacted values would be merged, nor held for review. */
function refuseSecret(text: string, path: string): void {
  if (findSecrets(text).count === 0) return;
  throw invalidInput(path, 'contains what looks like a secret, which memory.secret_policy rejects; remove it');
}

/** These keep their value: a redacted one would join unrelated threads. */
const kept = ['thread_id', 'upstream_thread_id', 'parent_conversation_id', 'related_conversation_ids'];
const untouched = new Set([...kept, 'imported_at', 'updated_at']);

function* redactingMetadata(
  metadata: NormalisedMetadata,
  redaction: Redaction,
  longestSummary: number,
): Steps<NormalisedMetadata> {
  const split = (isKept: boolean) => Object.entries(metadata).filter(([key]) => untouched.has(key) === isKept);
  const cleaned = yield* redaction.object(Object.fromEntries(split(false)) as JsonObject);
  // A redaction mark may be longer than the secret.
  if (typeof cleaned.summary === 'string') cleaned.summary = cut(cleaned.summary, longestSummary);
  return { ...cleaned, ...Object.fromEntries(split(true)) } as NormalisedMetadata;
}

/** Redacts texts one after the other and counts the secrets. */
interface Redaction {
  kinds: Set<SecretKind>;
  count: number;
  text: (text: string) => string;
  /** Keys and values at any depth; a value whose key names a secret is one. */
  object: (object: JsonObject) => Steps<JsonObject>;
}

function startRedaction(): Redaction {
  const redaction: Redaction = {
    kinds: new Set(),
    count: 0,
    text(text) {
      const found = findSecrets(text);
      for (const kind of found.kinds) redaction.kinds.add(kind);
      redaction.count += found.count;
      return found.text;
    },
    *object(object) {
      const nameOf = distinctNames();
      const entries: [string, Json | undefined][] = [];
      for (const [key, each] of Object.entries(object)) {
        entries.push([nameOf(redaction.text(key)), yield* value(each, key)]);
      }
      return Object.fromEntries(entries);
    },
  };

  function* value(each: Json | undefined, key: string): Steps<Json | undefined> {
    yield;
    if (Array.isArray(each)) {
      const items: Json[] = [];
      for (const item of each) items.push((yield* value(item, key)) ?? null);
      return items;
    }
    if (typeof each === 'object' && each !== null) return yield* redaction.object(each);
    if ((typeof each === 'string' || typeof each === 'number') && isSecretUnder(key, each)) return named(String(each));
    return typeof each === 'string' ? redaction.text(each) : each;
  }

  /** Redacts the whole value, even if it does not look like a secret. */
  function named(secret: string): string {
    if (isMark(findSecrets(secret).text)) return redaction.text(secret);
    redaction.kinds.add('password');
    redaction.count += 1;
    return markOf('password');
  }

  return redaction;
}

/** Keeps two keys apart that are redacted to the same text. */
function distinctNames(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return number === 1 ? key : `${key} ${number}`;
  };
}

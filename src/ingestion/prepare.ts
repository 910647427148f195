import { extracting, type Statement } from '../facts/extract.js';
import {
  type Conversation,
  type Limits,
  type MemoryStatus,
  type Message,
  type SaveIntent,
  saveIntents,
} from '../model/conversation.js';
import { type ErrorCode, invalidInput, MemoryError } from '../model/errors.js';
import type { Json } from '../model/json.js';
import type { Steps } from '../model/steps.js';
import { type CoercedConversation, coercing } from './coerce.js';
import { entitiesOf, pause } from './entities.js';
import { conversationHash, messageHash } from './hash.js';
import { type NormalisedMessage, normalising } from './normalise.js';
import { applyingSecretPolicy, type SecretPolicy } from './secret-policy.js';
import { conversationSummary, findTopics } from './summarise.js';

/** The reason why a conversation is held for review although the policy would accept it. */
export const secretDetected = 'secret_detected';

/** A conversation that is ready to be stored. */
export interface PreparedConversation {
  conversation: Conversation;
  explicitId: boolean;
  projectId: string;
  status: MemoryStatus;
  /** The status it would have without secrets. */
  statusByPolicy: MemoryStatus;
  /** It contains secrets and is held for review because of them. */
  quarantined: boolean;
  /** Indexes of the messages that it is held for; the title and the metadata may contain secrets too. */
  secretTurns: readonly number[];
  /** The number of secrets that were redacted before storing. */
  redacted: number;
  /** The statements in the messages, extracted once for both tags and facts. */
  statements: Statement[];
}

export interface PrepareSettings {
  limits: Limits;
  policy: InsertPolicy;
  secretPolicy: SecretPolicy;
  defaultSource: string;
  now: string;
  newId: () => string;
  /** Checks write access: maps the project that the client named to the one to use. */
  resolveProject: (projectId: string | undefined) => string;
  /** The compiled conversation schema; throws `invalid_input`. */
  validateSchema: (conversation: Conversation) => void;
  /** Times a named stage. */
  stage: <T>(name: string, run: () => T) => T;
  /** The same for a stage that takes long for a large conversation. */
  stageInSteps: <T>(name: string, steps: Steps<T>) => Steps<T>;
}

/** The pure part of an insert, from coercing to enriching, with each stage named and timed. */
export function* preparing(payload: unknown, settings: PrepareSettings): Steps<PreparedConversation> {
  const { stage, stageInSteps } = settings;
  const coerced = yield* stageInSteps('coerce', coercing(payload, settings.limits));
  const projectId = settings.resolveProject(projectName(coerced));
  const sent = yield* stageInSteps('normalise', normalising(coerced, settings));
  // Before hashing, so that a redacted conversation is recognized as the same when it is sent again.
  const secrets = { policy: settings.secretPolicy, limits: settings.limits };
  const checked = yield* stageInSteps('secrets', applyingSecretPolicy(sent, secrets));
  const normal = checked.conversation;
  const quarantined = checked.quarantined.length > 0;
  const messages = yield* stageInSteps('hash', hashing(normal.messages));
  // Of ten thousand messages, their common hash and the check of the schema take tens of milliseconds each.
  yield;
  const hash = conversationHash(
    messages.map((message) => message.hash),
    projectId,
  );
  const wanted = stage('policy', () => statusByPolicy(settings.policy, normal.metadata.save_intent));
  const status = quarantined ? 'pending_review' : wanted;
  const review = quarantined ? { review_reason: secretDetected, secret_kinds: checked.quarantined } : {};
  const { explicitId, ...fields } = normal;
  const hashed = {
    ...fields,
    messages,
    metadata: { ...normal.metadata, ...review, conversation_hash: hash },
  } as Conversation;
  yield;
  stage('validate_schema', () => settings.validateSchema(hashed));
  yield;
  const statements = yield* stageInSteps('facts', extracting({ title: normal.title, messages }));
  const generated = yield* stageInSteps('enrich', enriching({ ...normal, messages, statements }));
  const conversation: Conversation = { ...hashed, metadata: { ...hashed.metadata, ...generated } };
  const { redacted, secretTurns } = checked;
  const statuses = { status, statusByPolicy: wanted };
  return { conversation, explicitId, projectId, ...statuses, statements, quarantined, secretTurns, redacted };
}

function* hashing(messages: readonly NormalisedMessage[]): Steps<Message[]> {
  const hashed: Message[] = [];
  for (const message of messages) {
    const { role, text, timestamp } = message;
    const hash = messageHash(message);
    // Written out, because the check of the schema takes three times as long for objects made by spreading.
    hashed.push(timestamp === undefined ? { role, text, hash } : { role, text, timestamp, hash });
    yield;
  }
  return hashed;
}

function projectName(coerced: CoercedConversation): string | undefined {
  const { projectId } = coerced;
  if (projectId === undefined || typeof projectId === 'string') return projectId;
  throw invalidInput('project_id', projectId === null ? 'must be omitted rather than null' : 'must be a string');
}

/**
 * `always_review` is not configurable: it is for conversations held for review elsewhere, whatever their save intent.
 */
export type InsertPolicy = 'permissive' | 'require_save_intent' | 'review_pending' | 'always_review';

/** The initial status of a new conversation; throws before anything is stored if the policy rejects it. */
export function statusByPolicy(policy: InsertPolicy, saveIntent: string | undefined): MemoryStatus {
  if (saveIntent !== undefined && !isSaveIntent(saveIntent)) {
    const code = policy === 'permissive' ? 'invalid_input' : 'invalid_save_intent';
    throw refused(code, `${field} ${allowed}`);
  }
  if (policy === 'always_review') return 'pending_review';
  if (policy === 'permissive' || saveIntent !== undefined) return 'active';
  if (policy === 'review_pending') return 'pending_review';
  throw refused(
    'save_intent_required',
    `This memory only stores conversations that were saved deliberately: set ${field} to one of ${saveIntents.join(', ')}`,
  );
}

const field = 'metadata.save_intent';
const allowed = `must be one of: ${saveIntents.join(', ')}`;

function refused(code: ErrorCode, message: string): MemoryError {
  return new MemoryError(code, message, { issues: [{ path: field, message: allowed }] });
}

function isSaveIntent(value: string): value is SaveIntent {
  return (saveIntents as readonly string[]).includes(value);
}

interface Enrichable {
  source: string;
  title?: string;
  messages: readonly NormalisedMessage[];
  /** The statements in the messages: their predicates become tags. */
  statements?: readonly Pick<Statement, 'predicate'>[];
  /** The client's metadata: its own topics and manual tags are kept. */
  metadata: { tags?: string[]; topics?: string[]; [key: string]: Json | undefined };
}

interface Enrichment {
  topics?: string[];
  auto_tags: string[];
  tag_sources: Record<string, string[]>;
  generated_summary: string;
}

/** All deterministic metadata that the server adds. */
export function* enriching(conversation: Enrichable): Steps<Enrichment> {
  const { source, title, messages, metadata, statements = [] } = conversation;
  const predicates = [...new Set(statements.map(({ predicate }) => predicate))];
  const topics = yield* findTopics(
    messages.map((message) => message.text),
    metadata.topics,
  );
  const described = { source, messages, topics, ...(title === undefined ? {} : { title }) };
  const tags = yield* findTags({ ...described, predicates, manualTags: metadata.tags ?? [] });
  return {
    ...(topics.length === 0 ? {} : { topics }),
    ...tags,
    generated_summary: conversationSummary(described),
  };
}

/*
 * Finds the tags and topics of a conversation without a model.
 */

interface AutoTags {
  auto_tags: string[];
  tag_sources: Record<string, string[]>;
}

interface Taggable {
  source: string;
  title?: string;
  messages: readonly { text: string }[];
  topics: readonly string[];
  /** Predicates of the facts found in the conversation. */
  predicates?: readonly string[];
  /** Manual tags take precedence: an equal automatic one is dropped. */
  manualTags: readonly string[];
}

const mostTags = 24;
const longestTag = 80;

/** Records the origin of each automatic tag; the first origin decides its position. */
export function* findTags(conversation: Taggable): Steps<AutoTags> {
  const manual = new Set(conversation.manualTags.map(normaliseTag));
  const origins = new Map<string, Set<string>>();
  const add = (value: string, origin: string): void => {
    const tag = normaliseTag(value);
    if (tag === '' || manual.has(tag)) return;
    origins.set(tag, (origins.get(tag) ?? new Set()).add(origin));
  };
  add(`source:${conversation.source}`, 'source');
  for (const topic of conversation.topics) add(topic, 'topic');
  for (const text of [conversation.title ?? '', ...conversation.messages.map((message) => message.text)]) {
    if (origins.size >= mostTags) break;
    for (const entity of entitiesOf(text)) {
      if (entity === pause) yield;
      else add(entity, 'entity');
      if (origins.size >= mostTags) break;
    }
    yield;
  }
  for (const tag of shorterNames(origins)) origins.delete(tag);
  for (const predicate of [...(conversation.predicates ?? [])].sort()) add(`fact:${predicate}`, 'fact_predicate');
  const kept = [...origins].slice(0, mostTags);
  return {
    auto_tags: kept.map(([tag]) => tag),
    tag_sources: Object.fromEntries(kept.map(([tag, from]) => [tag, [...from]])),
  };
}

/** Names that are the end of another one: the "Slim Sleeve" is the "Bellroy Slim Sleeve". */
function shorterNames(origins: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const names = [...origins].filter(([, from]) => from.size === 1 && from.has('entity')).map(([tag]) => tag);
  return names.filter((name) => names.some((other) => other.endsWith(`-${name}`)));
}

function normaliseTag(value: string): string {
  const tag = value
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}:_-]+/gu, '-')
    .replace(/-{2,}/g, '-');
  const trimmed = tag.replace(/^[-_:]+|[-_:]+$/g, '');
  return [...trimmed]
    .slice(0, longestTag)
    .join('')
    .replace(/[-_:]+$/, '');
}

import { extracting, type Statement } from '../facts/extract.js';
import type { Conversation, MemoryStatus, Message } from '../model/conversation.js';
import { invalidInput } from '../model/errors.js';
import type { Limits } from '../model/limits.js';
import type { Steps } from '../model/steps.js';
import { type CoercedConversation, coerce } from './coerce.js';
import { enriching } from './enrich.js';
import { conversationHash, messageHash } from './hash.js';
import { normalise } from './normalise.js';
import { type InsertPolicy, statusByPolicy } from './policy.js';
import { guarding, type SecretPolicy } from './secret-policy.js';

/** Why a memory waits for review although the policy would let it in. */
export const secretDetected = 'secret_detected';

/** A conversation that was prepared and may be stored. */
export interface PreparedConversation {
  conversation: Conversation;
  explicitId: boolean;
  projectId: string;
  status: MemoryStatus;
  /** The status it would have without secrets. */
  statusByPolicy: MemoryStatus;
  /** It holds secrets and waits for review because of them. */
  quarantined: boolean;
  /** Indexes of the messages for which it waits; the title and the metadata may hold secrets too. */
  secretTurns: readonly number[];
  /** Secrets that were replaced before anything was stored. */
  redacted: number;
  /** What the messages state, found once for the tags and the facts. */
  statements: Statement[];
}

export interface PrepareSettings {
  limits: Limits;
  policy: InsertPolicy;
  secretPolicy: SecretPolicy;
  defaultSource: string;
  now: string;
  newId: () => string;
  /** Who may write where: given the project the client named, the one to use. */
  resolveProject: (projectId: string | undefined) => string;
  /** The compiled conversation schema; throws `invalid_input`. */
  validateSchema: (conversation: Conversation) => void;
  /** Times a named stage. */
  stage: <T>(name: string, run: () => T) => T;
  /** The same for one that takes long in a large conversation. */
  stageInSteps: <T>(name: string, steps: Steps<T>) => Steps<T>;
}

/** The pure part of an insert, each step named and timed, from coercing to enriching. */
export function* preparing(payload: unknown, settings: PrepareSettings): Steps<PreparedConversation> {
  const { stage, stageInSteps } = settings;
  const coerced = stage('coerce', () => coerce(payload, settings.limits));
  const projectId = settings.resolveProject(projectName(coerced));
  const sent = stage('normalise', () => normalise(coerced, settings));
  yield;
  // Before the hashes: what is redacted was never here, and is found again as the same.
  const secrets = { policy: settings.secretPolicy, limits: settings.limits };
  const guarded = yield* stageInSteps('secrets', guarding(sent, secrets));
  const normal = guarded.conversation;
  const quarantined = guarded.quarantined.length > 0;
  const messages: Message[] = stage('hash', () =>
    normal.messages.map((message) => ({ ...message, hash: messageHash(message) })),
  );
  yield;
  const hash = conversationHash(
    messages.map((message) => message.hash),
    projectId,
  );
  const wanted = stage('policy', () => statusByPolicy(settings.policy, normal.metadata.save_intent));
  const status = quarantined ? 'pending_review' : wanted;
  const review = quarantined ? { review_reason: secretDetected, secret_kinds: guarded.quarantined } : {};
  const { explicitId, ...fields } = normal;
  const hashed = {
    ...fields,
    messages,
    metadata: { ...normal.metadata, ...review, conversation_hash: hash },
  } as Conversation;
  stage('validate_schema', () => settings.validateSchema(hashed));
  yield;
  const statements = yield* stageInSteps('facts', extracting({ title: normal.title, messages }));
  const generated = yield* stageInSteps('enrich', enriching({ ...normal, messages, statements }));
  const conversation: Conversation = { ...hashed, metadata: { ...hashed.metadata, ...generated } };
  const { redacted, secretTurns } = guarded;
  const statuses = { status, statusByPolicy: wanted };
  return { conversation, explicitId, projectId, ...statuses, statements, quarantined, secretTurns, redacted };
}

function projectName(coerced: CoercedConversation): string | undefined {
  const { projectId } = coerced;
  if (projectId === undefined || typeof projectId === 'string') return projectId;
  throw invalidInput('project_id', projectId === null ? 'must be omitted rather than null' : 'must be a string');
}

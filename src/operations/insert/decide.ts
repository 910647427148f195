import { visibilityOf } from '../../auth/access.js';
import { messageHash } from '../../ingestion/hash.js';
import type { NormalisedMessage } from '../../ingestion/normalise.js';
import type { PreparedConversation } from '../../ingestion/prepare.js';
import type { SecretPolicy } from '../../ingestion/secret-policy.js';
import { findSecrets } from '../../ingestion/secrets.js';
import type { Message } from '../../model/conversation.js';
import { MemoryError } from '../../model/errors.js';
import { idWithin } from '../../model/ids.js';
import { timed } from '../../observability/observer.js';
import { threadKey } from '../../records/claims.js';
import type { ConversationRow, MessageRow } from '../../records/store.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';

/*
 * The first half of an insert: compares a prepared conversation with the stored ones. It repeats a stored one,
 * continues one, is new, or is rejected.
 */

/** The outcome of an insert. A rejection throws; a held conversation is stored separately, new or appended. */
export type Decision =
  | { kind: 'duplicate'; stored: ConversationRow }
  | ({ kind: 'append' } & Append)
  | { kind: 'new'; prepared: PreparedConversation; claim: ThreadClaim | undefined };

export interface Append {
  stored: ConversationRow;
  messages: readonly MessageRow[];
  prepared: PreparedConversation;
  /** The sent messages from this index on are new. */
  from: number;
}

/** The conversation that held a thread when it was read; empty when the thread is new. */
export interface ThreadClaim {
  id: string;
  heldBy?: string;
}

/** Decides by the stored state. Only reads; `apply` writes. Throws when the conversation is rejected. */
export async function decide(service: Service, call: Call, sent: PreparedConversation): Promise<Decision> {
  const { conversations } = service.records;
  const hash = sent.conversation.metadata.conversation_hash;
  const duplicate = await timed(service.observer, 'dedupe_lookup', conversations.byHash(sent.projectId, hash));
  if (duplicate !== undefined) return { kind: 'duplicate', stored: duplicate };
  await refuseForgotten(service, sent);
  const { prepared, holder } = await withOwnId(service, call, sent);
  const approved = await approvedBefore(service, prepared, async (allowed) =>
    holder === undefined ? threadOf(service, call, allowed) : [holder],
  );
  if (approved !== undefined) return continuing(approved.prepared, approved.agreement);
  if (holder !== undefined) return update(service, prepared, [holder], 'unauthorized_update');
  const claim = await threadClaim(service, prepared);
  const thread = await threadOf(service, call, prepared);
  if (thread.length > 0) return update(service, prepared, thread, 'duplicate_conflict');
  return { kind: 'new', prepared, claim };
}

/**
 * The conversation that an explicit id names, in the same project only. For users with tokens, a new one gets an id
 * derived from the given one and the project: if only ids that another project uses were changed, that would reveal them.
 * Without tokens every project belongs to the same person, who keeps the id unless another project has it.
 */
async function withOwnId(
  { records }: Service,
  { principal }: Call,
  prepared: PreparedConversation,
): Promise<{ prepared: PreparedConversation; holder: ConversationRow | undefined }> {
  const { conversation, projectId } = prepared;
  if (!prepared.explicitId) return { prepared, holder: undefined };
  const holder = await records.conversations.holderOfId(conversation.id);
  if (holder?.project_id === projectId) return { prepared, holder };
  if (holder === undefined && principal.tokenId === undefined) return { prepared, holder };
  const id = idWithin(projectId, conversation.id);
  const own = { ...prepared, conversation: { ...conversation, id } };
  return { prepared: own, holder: await records.conversations.holderOfId(id) };
}

/** A forgotten conversation does not come back because a client still has it. */
async function refuseForgotten({ records }: Service, { projectId, conversation }: PreparedConversation): Promise<void> {
  const forgotten = await records.tombstones.coveredBy({
    projectId,
    source: conversation.source,
    upstreamThreadId: conversation.metadata.upstream_thread_id,
    messages: conversation.messages,
  });
  if (forgotten === undefined) return;
  const way = `\`threadkeep forget --id ${forgotten} --allow-return\`, or allow_return over HTTP, lets it back`;
  throw new MemoryError('duplicate_conflict', `This conversation was forgotten, so it is not stored again; ${way}`, {
    fields: { reason: 'forgotten', forgotten_id: forgotten },
  });
}

/** Earlier captures of the same thread that may be continued. One under review is never merged with one that is not. */
async function threadOf(service: Service, call: Call, prepared: PreparedConversation): Promise<ConversationRow[]> {
  const { source, metadata } = prepared.conversation;
  if (!service.settings.allowTrustedAppends || metadata.upstream_thread_id === undefined) return [];
  const visibility = visibilityOf(call.principal, { projectId: prepared.projectId, status: prepared.status });
  return service.records.conversations.ofThread(visibility, source, metadata.upstream_thread_id);
}

/** Continues the longest stored capture that matches the sent one. */
async function update(
  service: Service,
  prepared: PreparedConversation,
  candidates: readonly ConversationRow[],
  refusal: 'unauthorized_update' | 'duplicate_conflict',
): Promise<Decision> {
  const agreement = await agreementOf(service, prepared, candidates);
  if (agreement === undefined) throw new MemoryError(refusal, refusals[refusal]);
  return continuing(prepared, agreement);
}

function continuing(prepared: PreparedConversation, { stored, messages, plan }: Agreement): Decision {
  return plan.kind === 'append'
    ? { kind: 'append', stored, messages, prepared, from: plan.from }
    : { kind: 'duplicate', stored };
}

const refusals = {
  unauthorized_update: 'A conversation with this id exists with other content; leave the id out to store a new one',
  duplicate_conflict: 'This thread is stored with another message history; send the whole visible list of messages',
};

interface ApprovedBefore {
  /** Prepared as if it contained no secret: only the new turns are stored. */
  prepared: PreparedConversation;
  agreement: Agreement;
}

/**
 * A secret is reviewed once. If it occurs only in turns that an active conversation of the thread already contains, it
 * was approved before, and the new turns are judged by themselves. Undefined when a new turn contains a secret, or no
 * active conversation is continued.
 */
async function approvedBefore(
  service: Service,
  sent: PreparedConversation,
  findActive: (prepared: PreparedConversation) => Promise<ConversationRow[]>,
): Promise<ApprovedBefore | undefined> {
  if (!sent.quarantined || sent.statusByPolicy !== 'active') return undefined;
  const prepared: PreparedConversation = { ...sent, status: sent.statusByPolicy, quarantined: false };
  const agreement = await agreementOf(service, prepared, await findActive(prepared));
  if (agreement === undefined) return undefined;
  const { plan } = agreement;
  const isNew = (turn: number): boolean => plan.kind === 'append' && turn >= plan.from;
  return sent.secretTurns.some(isNew) ? undefined : { prepared, agreement };
}

/** A stored capture that a sent one repeats or continues. */
interface Agreement {
  stored: ConversationRow;
  messages: readonly MessageRow[];
  plan: Exclude<AppendPlan, { kind: 'conflict' }>;
}

/** The longest stored capture that matches the sent one, if it may be continued at all. */
async function agreementOf(
  service: Service,
  prepared: PreparedConversation,
  candidates: readonly ConversationRow[],
): Promise<Agreement | undefined> {
  if (!service.settings.allowTrustedAppends) return undefined;
  for (const stored of [...candidates].sort((one, other) => other.message_count - one.message_count)) {
    if (stored.project_id !== prepared.projectId || stored.memory_status !== prepared.status) continue;
    const messages = (await service.records.conversations.messagesOf([stored.id])).get(stored.id) ?? [];
    const plan = planCapture(messages, prepared.conversation.messages, service.settings);
    if (plan.kind !== 'conflict') return { stored, messages, plan };
  }
  return undefined;
}

/**
 * Two processes that receive the first turns of a thread at the same moment must create one conversation. The first
 * conversation of a thread is therefore stored together with a row whose id is the thread itself: the second writer
 * conflicts, reads again and continues the first. Read this row before looking for the thread's conversations.
 */
async function threadClaim(service: Service, prepared: PreparedConversation): Promise<ThreadClaim | undefined> {
  const { source, metadata } = prepared.conversation;
  if (!service.settings.allowTrustedAppends || metadata.upstream_thread_id === undefined) return undefined;
  const { projectId, status } = prepared;
  const id = threadKey({ projectId, source, upstreamThreadId: metadata.upstream_thread_id, status });
  const heldBy = await service.records.threads.holder(id);
  return heldBy === undefined ? { id } : { id, heldBy };
}

interface CaptureRules {
  secretPolicy: SecretPolicy;
  sentWhole?: boolean;
}

/**
 * Compares a capture with the stored one. Where secrets are redacted, the stored one may predate redaction or the
 * detection of some kind of secret, so it also matches if it does after redacting it now.
 */
export function planCapture(stored: readonly Message[], sent: readonly Message[], rules: CaptureRules): AppendPlan {
  const sentHashes = sent.map(({ hash }) => hash);
  const storedHashes = stored.map(({ hash }) => hash);
  const plan = planAppend(storedHashes, sentHashes, rules);
  if (plan.kind !== 'conflict' || rules.secretPolicy !== 'redact') return plan;
  return planAppend(stored.map(redactedHash), sentHashes, rules);
}

function redactedHash({ role, text }: NormalisedMessage): string {
  return messageHash({ role, text: findSecrets(text).text });
}

export type AppendPlan =
  /** No new messages were sent. */
  | { kind: 'duplicate' }
  /** The sent messages from this index on are new. */
  | { kind: 'append'; from: number }
  /** The histories disagree. */
  | { kind: 'conflict' };

/**
 * Compares a repeated capture of a stored thread with it, by message hashes in order. The capture may be the whole
 * visible list, an earlier state of it, or a bare continuation that repeats at least the last stored message. A capture
 * known to be complete is never a bare continuation: if it begins differently, the thread was edited.
 */
export function planAppend(
  stored: readonly string[],
  sent: readonly string[],
  { sentWhole = false }: { sentWhole?: boolean | undefined } = {},
): AppendPlan {
  const shared = Math.min(stored.length, sent.length);
  if (matches(stored, 0, sent, shared)) {
    return sent.length > stored.length ? { kind: 'append', from: stored.length } : { kind: 'duplicate' };
  }
  if (sentWhole) return { kind: 'conflict' };
  // The longest overlap wins, so that a repeated "yes" at the boundary is not appended twice.
  for (let overlap = shared; overlap >= 1; overlap--) {
    if (!matches(stored, stored.length - overlap, sent, overlap)) continue;
    return overlap === sent.length ? { kind: 'duplicate' } : { kind: 'append', from: overlap };
  }
  return { kind: 'conflict' };
}

function matches(stored: readonly string[], offset: number, sent: readonly string[], length: number): boolean {
  for (let index = 0; index < length; index++) if (stored[offset + index] !== sent[index]) return false;
  return true;
}

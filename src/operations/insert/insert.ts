import { z } from 'zod';
import { resolveProject, visibilityOf } from '../../auth/access.js';
import { runYielding } from '../../concurrency/yielding.js';
import { type PreparedConversation, preparing, secretDetected } from '../../ingestion/prepare.js';
import { MemoryError } from '../../model/errors.js';
import { idWithin } from '../../model/ids.js';
import { isObject } from '../../model/json.js';
import { stage, stageInSteps, timed } from '../../observability/stages.js';
import type { ConversationRow } from '../../records/rows.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import type { Call, Operation } from '../operation.js';
import type { Service } from '../service.js';
import { type Agreement, agreementOf } from './agreement.js';
import { type Append, appendMessages } from './append.js';
import { approvedBefore } from './approved-before.js';
import { answerDuplicate } from './duplicate.js';
import { insertShapes } from './input.js';
import { type Capture, keepAlias } from './keep-alias.js';
import { learnTimes, tellsTimes } from './learn-times.js';
import { type InsertOutcome, insertOutcome } from './outcome.js';
import { storeNew } from './store-new.js';
import { type ThreadClaim, threadClaim } from './thread-claim.js';

export const insert: Operation<unknown, InsertOutcome> = {
  name: 'insert',
  summary: 'Validate and store one conversation',
  input: z.unknown(),
  documented: z.union(insertShapes),
  output: insertOutcome,
  async run(service, call, payload) {
    const count = (status: string, result: string): void =>
      service.observer.count('memory_insert_total', { status, result, deduplicated: String(result === 'duplicate') });
    try {
      const prepared = { ...(await prepareFor(service, call, payload)), said: saidIn(payload) };
      const outcome = withSecrets(await place(service, call, prepared), prepared);
      const kind = outcome.deduplicated ? 'duplicate' : 'stored';
      count(outcome.memory_status, outcome.appended_messages > 0 ? 'appended' : kind);
      return outcome;
    } catch (error) {
      count('error', error instanceof MemoryError ? error.code : 'internal_error');
      throw error;
    }
  },
};

/** What a payload leaves out gets a default, which is nothing that the capture said. */
function saidIn(payload: unknown): Capture['said'] {
  const { source, timestamp } = isObject(payload) ? payload : {};
  return { source: source !== undefined, timestamp: timestamp !== undefined };
}

function withSecrets(outcome: InsertOutcome, { quarantined, redacted }: PreparedConversation): InsertOutcome {
  return {
    ...outcome,
    ...(quarantined && outcome.memory_status === 'pending_review' ? { review_reason: secretDetected } : {}),
    ...(redacted > 0 ? { redacted_secrets: redacted } : {}),
  };
}

/** The pure steps, with this service's settings; `validate` runs the same without storing. Yields to the event loop. */
export function prepareFor(service: Service, call: Call, payload: unknown): Promise<PreparedConversation> {
  const steps = preparing(payload, {
    limits: service.settings.limits,
    policy: service.settings.insertPolicy,
    secretPolicy: service.settings.secretPolicy,
    defaultSource: call.defaultSource,
    now: service.now(),
    newId: service.newId,
    resolveProject: (projectId) => resolveProject(call.principal, projectId),
    validateSchema: service.validateSchema,
    stage: (name, run) => stage(service.observer, name, run),
    stageInSteps: (name, work) => stageInSteps(service.observer, name, work),
  });
  return runYielding(steps, { signal: call.signal });
}

const attempts = 5;

/** Stores what was prepared. Captures of one thread hold a mutex, so that they become one memory however close together they come. */
async function place(service: Service, call: Call, prepared: Capture): Promise<InsertOutcome> {
  const { source, metadata } = prepared.conversation;
  const thread = metadata.upstream_thread_id;
  if (!service.settings.allowTrustedAppends || thread === undefined) return placeAlone(service, call, prepared);
  const key = [prepared.projectId, source, thread].join('\n');
  return service.mutex(key, () => placeAlone(service, call, prepared));
}

/** Losing a race means that an equal or longer capture was just stored: look again and decide anew. */
async function placeAlone(service: Service, call: Call, prepared: Capture): Promise<InsertOutcome> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await placeOnce(service, call, prepared);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
  throw new MemoryError('duplicate_conflict', 'This thread is being written by several clients at once; try again');
}

async function placeOnce(service: Service, call: Call, prepared: Capture): Promise<InsertOutcome> {
  const placement = await placementOf(service, call, prepared);
  if (placement.kind === 'duplicate') {
    const { stored } = placement;
    const sent = prepared.conversation.messages;
    if (tellsTimes(stored, sent)) await learnTimes(service, stored, sent);
    const kept = await keepAlias(service, stored, prepared);
    return { ...(await answerDuplicate(service, kept.row)), ...kept.told };
  }
  if (placement.kind === 'append') return appendMessages(service, placement);
  return storeNew(service, call, placement);
}

export type Placement =
  | { kind: 'duplicate'; stored: ConversationRow }
  | ({ kind: 'append' } & Append)
  | { kind: 'new'; prepared: PreparedConversation; claim: ThreadClaim | undefined };

/** What storing it comes down to, by what is stored now; writes nothing. Throws where it is refused. */
export async function placementOf(service: Service, call: Call, sent: PreparedConversation): Promise<Placement> {
  const { conversations } = service.records;
  const hash = sent.conversation.metadata.conversation_hash;
  const duplicate = await timed(service.observer, 'dedupe_lookup', conversations.byHash(sent.projectId, hash));
  if (duplicate !== undefined) return { kind: 'duplicate', stored: duplicate };
  await refuseForgotten(service, sent);
  const { prepared, holder } = await withOwnId(service, sent);
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
 * The memory that an explicit id names, in the same project only. One that another project has is as good as free: being
 * told otherwise would say that somebody holds it, so the memory gets an id made from that one and the project.
 */
async function withOwnId(
  { records }: Service,
  prepared: PreparedConversation,
): Promise<{ prepared: PreparedConversation; holder: ConversationRow | undefined }> {
  const { conversation, projectId } = prepared;
  if (!prepared.explicitId) return { prepared, holder: undefined };
  const holder = await records.conversations.holderOfId(conversation.id);
  if (holder === undefined || holder.project_id === projectId) return { prepared, holder };
  const id = idWithin(projectId, conversation.id);
  const own = { ...prepared, conversation: { ...conversation, id } };
  return { prepared: own, holder: await records.conversations.holderOfId(id) };
}

/** What the person had us forget does not come back because a client still has it. */
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

/** Continues the longest of the stored captures that the sent one agrees with. */
async function update(
  service: Service,
  prepared: PreparedConversation,
  candidates: readonly ConversationRow[],
  refusal: 'unauthorized_update' | 'duplicate_conflict',
): Promise<Placement> {
  const agreement = await agreementOf(service, prepared, candidates);
  if (agreement === undefined) throw new MemoryError(refusal, refusals[refusal]);
  return continuing(prepared, agreement);
}

function continuing(prepared: PreparedConversation, { stored, messages, plan }: Agreement): Placement {
  return plan.kind === 'append'
    ? { kind: 'append', stored, messages, prepared, from: plan.from }
    : { kind: 'duplicate', stored };
}

const refusals = {
  unauthorized_update: 'A conversation with this id exists with other content; leave the id out to store a new one',
  duplicate_conflict: 'This thread is stored with another message history; send the whole visible list of messages',
};

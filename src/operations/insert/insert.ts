import { z } from 'zod';
import { resolveProject } from '../../auth/access.js';
import { runYielding } from '../../concurrency/yielding.js';
import { type PreparedConversation, preparing, secretDetected } from '../../ingestion/prepare.js';
import { memoryStatuses } from '../../model/conversation.js';
import { MemoryError } from '../../model/errors.js';
import { isObject } from '../../model/json.js';
import { stage, stageInSteps } from '../../observability/stages.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import type { Call, Operation } from '../operation.js';
import type { Service } from '../service.js';
import { apply } from './apply.js';
import { decide } from './decide.js';
import { insertShapes } from './input.js';
import type { Capture } from './keep-alias.js';
import { type InsertOutcome, insertOutcome } from './outcome.js';

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

const validation = z.object({
  status: z.literal('ok'),
  valid: z.literal(true),
  memory_status: z.enum(memoryStatuses).describe('What an insert would make of it'),
});

/** The steps of an insert without storing. Reveals nothing about stored data, so it needs no write access. */
export const validate: Operation<unknown, z.infer<typeof validation>> = {
  name: 'validate',
  summary: 'Check one conversation as an insert would, without storing it',
  input: z.unknown(),
  documented: z.union(insertShapes),
  output: validation,
  async run(service, call, payload) {
    const { status } = await prepareFor(service, call, payload);
    return { status: 'ok', valid: true, memory_status: status };
  },
};

/** Defaults for missing fields do not count as stated by the capture. */
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

/** The pure steps with this service's settings; `validate` runs the same. Yields to the event loop. */
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

/**
 * Stores a prepared conversation. Captures of one thread hold a mutex, so that concurrent ones become one conversation.
 */
async function place(service: Service, call: Call, prepared: Capture): Promise<InsertOutcome> {
  const { source, metadata } = prepared.conversation;
  const thread = metadata.upstream_thread_id;
  if (!service.settings.allowTrustedAppends || thread === undefined) return placeAlone(service, call, prepared);
  const key = [prepared.projectId, source, thread].join('\n');
  return service.mutex(key, () => placeAlone(service, call, prepared));
}

/** A lost race means that an equal or longer capture was just stored: read again and decide anew. */
async function placeAlone(service: Service, call: Call, prepared: Capture): Promise<InsertOutcome> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      const decision = await decide(service, call, prepared);
      return await apply(service, call, { capture: prepared, decision });
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
  throw new MemoryError('duplicate_conflict', 'This thread is being written by several clients at once; try again');
}

import { z } from 'zod';
import { resolveProject } from '../../auth/access.js';
import { runYielding } from '../../concurrency/yielding.js';
import { artifactKeys } from '../../ingestion/coerce.js';
import { roles } from '../../ingestion/normalise.js';
import { type PreparedConversation, preparing, secretDetected } from '../../ingestion/prepare.js';
import { memoryStatuses, saveIntents } from '../../model/conversation.js';
import { MemoryError } from '../../model/errors.js';
import { projectIdPattern } from '../../model/ids.js';
import { isObject } from '../../model/json.js';
import { noted } from '../../model/parse.js';
import { stage, stageInSteps } from '../../observability/observer.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { anyCase, datePattern, notBlank, openValue, projectId, textUpTo, uuidPattern } from '../fields.js';
import type { Call, Operation } from '../operation.js';
import type { Service } from '../service.js';
import { apply } from './apply.js';
import { decide } from './decide.js';
import type { Capture } from './keep-alias.js';
import { type InsertOutcome, insertOutcome } from './outcome.js';

const timestamp = noted(z.string(), { pattern: datePattern });
const memoryId = noted(z.string(), { pattern: uuidPattern });

const turn = z.object({
  role: noted(z.string(), { pattern: `^\\s*(?:${[...roles.keys()].map(anyCase).join('|')})\\s*$` }).describe(
    'user or assistant; human, ai, bot and model are accepted too',
  ),
  text: z.string().describe('The text of the message; `content` is accepted as an alias').optional(),
  content: z.string().optional(),
  timestamp: timestamp
    .optional()
    .describe('When it was sent: RFC 3339 or a plain date; leave it out if only the conversation has a time'),
});

/** Two names for the same field: if both were sent, one would be lost. */
const notBoth = { not: { required: ['text', 'content'] } };

/** A hash sent by a client is dropped, so any value is accepted. */
const message = noted(turn, ({ properties, ...schema }) => ({
  ...schema,
  properties: { ...Object(properties), hash: { not: { type: 'null' } } },
  additionalProperties: false,
  ...notBoth,
}));

/** At least one turn must have text. */
const said = ['text', 'content'].map((field) => ({
  required: [field],
  properties: { [field]: { pattern: notBlank } },
}));

/** Clients may add other keys, except page captures at any depth. */
const named = z.looseObject({
  summary: textUpTo(2000).optional().describe('A short retrieval hint; never replaces messages'),
  tags: z.array(z.string()).optional().describe('Manual tags, kept unchanged'),
  upstream_thread_id: noted(z.string(), { maxLength: 256 }).optional().describe("The client's own thread id"),
  thread_id: noted(z.string(), { maxLength: 512 }).optional(),
  parent_conversation_id: memoryId.optional(),
  related_conversation_ids: z.array(memoryId).optional(),
  save_intent: z.enum(saveIntents).optional(),
  save_intent_source: z.string().optional(),
  platform: z.string().optional(),
  capture_client: z.string().optional(),
  capture_client_version: z.string().optional(),
  model: z.string().optional(),
  timezone: z.string().optional(),
});

const metadata = noted(named, ({ properties, ...schema }) => ({
  ...schema,
  properties: {
    ...Object(properties),
    topics: { type: 'array', items: { type: 'string' } },
    project_id: { type: 'string', pattern: projectIdPattern.source },
  },
  propertyNames: { not: { enum: [...artifactKeys] } },
  additionalProperties: { $ref: openValue },
}));

/** Fields that are accepted both at the top level and in the metadata: only one of the two may be sent. */
const onlyOnce = ['tags', 'project_id'].map((field) => ({
  not: { required: [field, 'metadata'], properties: { metadata: { required: [field] } } },
}));

function whole<Shape extends z.ZodObject>(shape: Shape, turns: string): Shape {
  return noted(shape, (schema) => ({ ...schema, required: [turns], additionalProperties: false, allOf: onlyOnce }));
}

/**
 * The documented schema. The payload itself goes through the ingestion steps, which accept more shapes than a schema
 * can express and have better error messages.
 */
const messages = noted(z.array(message).min(1), { contains: { anyOf: said } });

const others = {
  id: memoryId.optional().describe('Leave it out: the server assigns one'),
  source: noted(textUpTo(128), { pattern: notBlank })
    .optional()
    .describe('The capturing client, such as chatgpt, claude, gemini'),
  title: textUpTo(1024).optional(),
  timestamp: timestamp.optional().describe('RFC 3339 or a plain date; default now'),
  metadata: metadata.optional(),
  tags: z.array(z.string()).optional().describe('Same as metadata.tags'),
  project_id: projectId.optional(),
};

const insertShape = whole(z.object({ ...others, messages }), 'messages');

/**
 * The accepted shapes, the usual one first: clients that validate arguments must not reject what the server accepts.
 */
export const insertShapes = [
  insertShape.describe('A conversation'),
  whole(z.object({ ...others, conversation: messages }), 'conversation').describe(
    'A conversation whose messages are in `conversation`',
  ),
  whole(z.object({ ...others, content: messages }), 'content').describe(
    'A conversation whose messages are in `content`',
  ),
  messages.describe('Only the messages'),
] as const;

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
  memory_status: z.enum(memoryStatuses).describe('The status it would get from an insert'),
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
export async function prepareFor(service: Service, call: Call, payload: unknown): Promise<PreparedConversation> {
  const steps = preparing(payload, {
    limits: service.settings.limits,
    policy: service.settings.insertPolicy,
    secretPolicy: service.settings.secretPolicy,
    defaultSource: call.defaultSource,
    now: service.now(),
    newId: service.newId,
    resolveProject: (projectId) => resolveProject(call.principal, projectId),
    validateSchema: await service.schemaCheck(),
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

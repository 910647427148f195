import { z } from 'zod';
import { artifactKeys } from '../../ingestion/coerce.js';
import { roles } from '../../ingestion/normalise.js';
import { saveIntents } from '../../model/conversation.js';
import { projectIdPattern } from '../../model/ids.js';
import { noted } from '../../model/schema-note.js';
import { anyCase, datePattern, notBlank, openValue, projectId, textUpTo, uuidPattern } from '../fields.js';

const timestamp = noted(z.string(), { pattern: datePattern });
const memoryId = noted(z.string(), { pattern: uuidPattern });

const turn = z.object({
  role: noted(z.string(), { pattern: `^\\s*(?:${[...roles.keys()].map(anyCase).join('|')})\\s*$` }).describe(
    'user or assistant; human, ai, bot and model are understood too',
  ),
  text: z.string().describe('The turn; `content` is accepted as an alias').optional(),
  content: z.string().optional(),
  timestamp: timestamp
    .optional()
    .describe('When it was said: RFC 3339 or a plain date; leave it out where only the conversation has a time'),
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
  tags: z.array(z.string()).optional().describe('Manual tags, kept as they are'),
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

export const insertShape = whole(z.object({ ...others, messages }), 'messages');

/**
 * The accepted shapes, the usual one first: clients that validate arguments must not reject what the server accepts.
 */
export const insertShapes = [
  insertShape.describe('A conversation'),
  whole(z.object({ ...others, conversation: messages }), 'conversation').describe(
    'A conversation whose turns are called conversation',
  ),
  whole(z.object({ ...others, content: messages }), 'content').describe(
    'A conversation whose turns are called content',
  ),
  messages.describe('The turns alone'),
] as const;

import { z } from 'zod';
import { saveIntents } from '../../model/conversation.js';

const message = z.object({
  role: z.string().describe('user or assistant; human, ai, bot and model are understood too'),
  text: z.string().describe('The turn; `content` is accepted as an alias').optional(),
  content: z.string().optional(),
  timestamp: z
    .string()
    .optional()
    .describe('When it was said: RFC 3339 or a plain date; leave it out where only the conversation has a time'),
});

const metadata = z.looseObject({
  summary: z.string().max(2000).optional().describe('A short retrieval hint; never replaces messages'),
  tags: z.array(z.string()).optional().describe('Manual tags, kept as they are'),
  upstream_thread_id: z.string().optional().describe("The client's own thread id"),
  thread_id: z.string().optional(),
  parent_conversation_id: z.string().optional(),
  related_conversation_ids: z.array(z.string()).optional(),
  save_intent: z.enum(saveIntents).optional(),
  save_intent_source: z.string().optional(),
  platform: z.string().optional(),
  capture_client: z.string().optional(),
  capture_client_version: z.string().optional(),
  model: z.string().optional(),
  timezone: z.string().optional(),
});

/**
 * What the documents show. The payload itself goes through the ingestion steps, which accept more shapes than a schema
 * can say and refuse with better words.
 */
export const insertShape = z.object({
  id: z.string().optional().describe('Leave it out: the server assigns one'),
  source: z.string().max(128).optional().describe('The capturing client, such as chatgpt, claude, gemini'),
  title: z.string().max(1024).optional(),
  timestamp: z.string().optional().describe('RFC 3339 or a plain date; default now'),
  messages: z.array(message).min(1),
  metadata: metadata.optional(),
  tags: z.array(z.string()).optional().describe('Same as metadata.tags'),
  project_id: z.string().optional(),
});

const { messages, ...others } = insertShape.shape;

/** The accepted shapes, the usual one first: clients that check arguments themselves must not refuse what we take. */
export const insertShapes = [
  insertShape.describe('A conversation'),
  z.object({ ...others, conversation: messages }).describe('A conversation whose turns are called conversation'),
  z.object({ ...others, content: messages }).describe('A conversation whose turns are called content'),
  messages.describe('The turns alone'),
] as const;

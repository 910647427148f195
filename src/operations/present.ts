import { z } from 'zod';
import { memoryStatuses } from '../model/conversation.js';
import type { ConversationRow, MessageRow } from '../records/store.js';

const messageOutput = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  timestamp: z.string().optional().describe("When it was sent; absent if only the conversation's time is known"),
});

const aliasOutput = z.object({
  source: z.string(),
  title: z.string().optional(),
  timestamp: z.string().optional(),
  thread_id: z.string().optional(),
  upstream_thread_id: z.string().optional(),
  tags: z.array(z.string()).optional(),
  added_at: z.string(),
});

export const conversationOutput = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string().optional(),
  timestamp: z.string(),
  messages: z.array(messageOutput).optional(),
  messages_omitted: z
    .literal(true)
    .optional()
    .describe('Its messages did not fit into this response: retrieve it by its id'),
  aliases: z
    .array(aliasOutput)
    .optional()
    .describe('Metadata of later captures of the same messages; filters match these too'),
  metadata: z.looseObject({ project_id: z.string(), memory_status: z.enum(memoryStatuses) }),
});

export type ConversationOutput = z.infer<typeof conversationOutput>;

/** The public form of a stored conversation, without hashes and owners. */
export function presentConversation(row: ConversationRow, messages?: readonly MessageRow[]): ConversationOutput {
  return {
    id: row.id,
    source: row.source,
    ...(row.title === undefined ? {} : { title: row.title }),
    timestamp: row.timestamp,
    ...(messages === undefined ? {} : { messages: messages.map(presentMessage) }),
    ...(row.aliases === undefined ? {} : { aliases: row.aliases }),
    metadata: { ...row.metadata, project_id: row.project_id, memory_status: row.memory_status },
  };
}

function presentMessage({ role, text, timestamp }: MessageRow): z.infer<typeof messageOutput> {
  return { role, text, ...(timestamp === undefined ? {} : { timestamp }) };
}

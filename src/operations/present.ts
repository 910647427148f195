import { z } from 'zod';
import { memoryStatuses } from '../model/conversation.js';
import type { ConversationRow, MessageRow } from '../records/rows.js';

export const conversationOutput = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string().optional(),
  timestamp: z.string(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })).optional(),
  messages_omitted: z
    .literal(true)
    .optional()
    .describe('There was no room for its messages in this answer: retrieve it by its id'),
  metadata: z.looseObject({ project_id: z.string(), memory_status: z.enum(memoryStatuses) }),
});

export type ConversationOutput = z.infer<typeof conversationOutput>;

/** A stored conversation as the outside sees it: hashes and owners stay inside. */
export function presentConversation(row: ConversationRow, messages?: readonly MessageRow[]): ConversationOutput {
  return {
    id: row.id,
    source: row.source,
    ...(row.title === undefined ? {} : { title: row.title }),
    timestamp: row.timestamp,
    ...(messages === undefined ? {} : { messages: messages.map(({ role, text }) => ({ role, text })) }),
    metadata: { ...row.metadata, project_id: row.project_id, memory_status: row.memory_status },
  };
}

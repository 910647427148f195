import { z } from 'zod';
import { type MemoryStatus, memoryStatuses } from '../../model/conversation.js';

export const insertOutcome = z.object({
  status: z.enum(['ok', 'pending_review']).describe('pending_review: stored, but hidden until it is approved'),
  id: z.string().describe('The canonical id of the conversation'),
  memory_status: z.enum(memoryStatuses),
  deduplicated: z.boolean().describe('The same content was already stored'),
  appended_messages: z.number().int().describe('Messages added to a stored conversation of the same thread'),
  embedded_chunks: z.number().int().describe('Chunks embedded and indexed by this call'),
  chunks: z.number().int().describe('Chunks of the whole conversation'),
  indexing: z
    .literal('pending')
    .optional()
    .describe('Saved, but not in the vector index yet; it is indexed without another call'),
  alias_left_out: z
    .enum(['review', 'limit'])
    .optional()
    .describe(
      'Of a duplicate: why its source, thread, title, tags and time were not kept as an alias. review: the capture would have been held for review; limit: the conversation already has a hundred',
    ),
  review_reason: z.literal('secret_detected').optional().describe('Why it is held for review'),
  redacted_secrets: z.number().int().optional().describe('The number of secrets that were redacted before storing'),
});

export type InsertOutcome = z.infer<typeof insertOutcome>;

export function outcome(
  conversation: { id: string; memory_status: MemoryStatus; chunk_count: number },
  done: { deduplicated?: boolean; appended?: number; embedded: number; pending?: boolean },
): InsertOutcome {
  return {
    status: conversation.memory_status === 'pending_review' ? 'pending_review' : 'ok',
    id: conversation.id,
    memory_status: conversation.memory_status,
    deduplicated: done.deduplicated ?? false,
    appended_messages: done.appended ?? 0,
    embedded_chunks: done.embedded,
    chunks: conversation.chunk_count,
    ...(done.pending === true ? { indexing: 'pending' } : {}),
  };
}

import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { memoryStatuses } from '../../model/conversation.js';
import { filterOf, filterShape } from '../conversation-filter.js';
import { cursorUpTo, projectId } from '../fields.js';
import type { Operation } from '../operation.js';
import { decodePageEnd, encodePageEnd } from '../page-cursor.js';
import { conversationOutput, presentConversation } from '../present.js';

const input = z.strictObject({
  ...filterShape,
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  project_id: projectId.optional(),
  order: z.enum(['newest', 'oldest']).default('newest'),
  limit: z.int().min(1).max(100).default(20).describe('Conversations per page'),
  cursor: cursorUpTo(500).optional().describe('The cursor of the page before'),
});

const listed = conversationOutput.omit({ messages: true }).extend({ message_count: z.number().int() });

const output = z.object({
  status: z.literal('ok'),
  results: z.array(listed),
  total: z.number().int().describe('How many conversations pass the filters, on all pages'),
  cursor: z.string().nullable().describe('Pass it back to get the next page; null at the end'),
});

export type ConversationList = z.infer<typeof output>;

export const listConversations: Operation<z.infer<typeof input>, ConversationList> = {
  name: 'conversations_list',
  summary: 'The stored conversations in the order of time, without their messages',
  input,
  output,
  async run({ records }, call, { cursor, ...request }) {
    const visibility = visibilityOf(call.principal, { projectId: request.project_id, status: request.memory_status });
    const filter = filterOf(request);
    const direction = request.order === 'newest' ? 'desc' : 'asc';
    // One more than asked for tells whether there is a next page.
    const page = { direction, limit: request.limit + 1, after: decodePageEnd(cursor, request) } as const;
    const [rows, total] = await Promise.all([
      records.conversations.inTime(visibility, filter, page),
      records.conversations.countVisible(visibility, filter),
    ]);
    const shown = rows.slice(0, request.limit);
    const last = rows.length > request.limit ? shown.at(-1) : undefined;
    return {
      status: 'ok',
      results: shown.map((row) => ({ ...presentConversation(row), message_count: row.message_count })),
      total,
      cursor: last === undefined ? null : encodePageEnd({ value: last.at, id: last.id }, request),
    };
  },
};

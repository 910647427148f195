import { z } from 'zod';
import { visibilitiesOf, visibilityOf } from '../auth/access.js';
import { memoryStatuses } from '../model/conversation.js';
import { MemoryError } from '../model/errors.js';
import { memoryId, projectId } from './fields.js';
import type { Operation } from './operation.js';
import { conversationOutput, presentConversation } from './present.js';

const input = z.strictObject({
  id: memoryId,
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  project_id: projectId.optional().describe('Only in this project; default every project you may read, your own first'),
});

const output = z.object({ status: z.literal('ok'), id: z.string(), memory: conversationOutput });

export const retrieve: Operation<z.infer<typeof input>, z.infer<typeof output>> = {
  name: 'retrieve',
  summary: 'One stored conversation by id',
  input,
  output,
  async run({ records }, call, { id, memory_status, project_id }) {
    const seen =
      project_id === undefined
        ? visibilitiesOf(call.principal, memory_status)
        : visibilityOf(call.principal, { projectId: project_id, status: memory_status });
    const row = await records.conversations.visible(seen, id);
    // What the caller may not see and what does not exist get the same answer.
    if (row === undefined) throw new MemoryError('not_found', 'No memory with this id is visible to you');
    const messages = await records.conversations.messagesOf([row.id]);
    return { status: 'ok', id: row.id, memory: presentConversation(row, messages.get(row.id) ?? []) };
  },
};

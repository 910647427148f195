import { z } from 'zod';
import { visibilitiesOf, visibilityOf } from '../auth/access.js';
import { memoryStatuses } from '../model/conversation.js';
import { MemoryError, notFoundAt } from '../model/errors.js';
import type { SaidMessage } from '../records/conversations.js';
import { memoryId, projectId } from './fields.js';
import type { Operation } from './operation.js';
import { conversationOutput, presentConversation } from './present.js';

const input = z.strictObject({
  id: memoryId,
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  project_id: projectId
    .optional()
    .describe('Search only this project; default all projects you may read, your own first'),
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
    // Invisible and missing conversations get the same error.
    if (row === undefined) throw new MemoryError('not_found', 'No memory with this id is visible to you');
    const messages = await records.conversations.messagesOf([row.id]);
    return { status: 'ok', id: row.id, memory: presentConversation(row, messages.get(row.id) ?? []) };
  },
};

/** For more messages on one side, retrieve the conversation. */
const mostBeside = 50;

const beside = z.int().min(0).max(mostBeside).default(3);

const contextInput = z.strictObject({
  id: memoryId.describe('Canonical id of the conversation, as in a search result'),
  message_index: z
    .int()
    .min(0)
    .describe('The message whose context you want, counted from 0, as in a search result or a citation'),
  before: beside.describe('The number of messages before it'),
  after: beside.describe('The number of messages after it'),
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  project_id: projectId
    .optional()
    .describe('Search only this project; default all projects you may read, your own first'),
});

const shownMessage = z.object({
  message_index: z.number().int(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  timestamp: z.string().describe("When it was sent: the message's own time, else the conversation's"),
});

const contextOutput = z.object({
  status: z.literal('ok'),
  id: z.string(),
  title: z.string().optional(),
  source: z.string(),
  timestamp: z.string(),
  message_index: z.number().int().describe('The requested message'),
  message_count: z.number().int().describe('The number of messages in the conversation'),
  results: z.array(shownMessage).describe('That message and the messages around it, in order'),
});

/** The messages around one message: a hit is often understood only with its neighbours. */
export const context: Operation<z.infer<typeof contextInput>, z.infer<typeof contextOutput>> = {
  name: 'context',
  summary: 'One message of a conversation with the messages around it',
  input: contextInput,
  output: contextOutput,
  async run({ records }, call, { id, message_index: index, before, after, memory_status, project_id }) {
    const seen =
      project_id === undefined
        ? visibilitiesOf(call.principal, memory_status)
        : visibilityOf(call.principal, { projectId: project_id, status: memory_status });
    const row = await records.conversations.visible(seen, id);
    // The same error as for an id that does not exist, as in retrieve.
    if (row === undefined) throw new MemoryError('not_found', 'No memory with this id is visible to you');
    const { message_count: count } = row;
    if (index >= count) throw notFoundAt('message_index', `must be less than ${count}, the number of messages`);
    const first = Math.max(0, index - before);
    const last = Math.min(count - 1, index + after);
    const wanted = Array.from({ length: last - first + 1 }, (_, at) => ({
      conversation_id: row.id,
      message_index: first + at,
    }));
    const messages = await records.conversations.messagesAt(wanted);
    return {
      status: 'ok',
      id: row.id,
      ...(row.title === undefined ? {} : { title: row.title }),
      source: row.source,
      timestamp: row.timestamp,
      message_index: index,
      message_count: count,
      results: [...messages.values()]
        .toSorted((one, other) => one.message_index - other.message_index)
        .map((message) => shown(message, row.timestamp)),
    };
  },
};

function shown({ message_index, role, text, timestamp }: SaidMessage, conversationTime: string) {
  return { message_index, role, text, timestamp: timestamp ?? conversationTime };
}

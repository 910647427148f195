import { z } from 'zod';
import { documentTurn } from '../../model/text.js';
import type { ConversationOutput } from '../../operations/present.js';
import type { CompactItem } from '../../operations/search/output.js';
import { operations } from '../../operations/table.js';
import { conversationUri } from '../resources.js';
import { memoryTool } from '../tool.js';

/**
 * `search` and `fetch` with the names and shapes that connector clients (ChatGPT and its deep research) expect: results
 * of id, title and url, then one document by id. The envelope's keys are included as well.
 */
const document = { id: z.string(), title: z.string(), url: z.string() };

/** Role and origin of each message, so that clients need not parse them from the text. */
const message = z.object({
  role: z.enum(['user', 'assistant']),
  origin: z.object({ conversation_id: z.string(), message_index: z.number().int(), source: z.string() }),
  timestamp: z.string().optional(),
  text: z.string(),
});

const projectId = z.string().optional().describe('A shared project; default your own');

export const searchTool = memoryTool({
  name: 'search',
  title: 'Search',
  description: 'Search the stored conversations. Returns id, title and url of each; fetch gives one whole.',
  returnsStored: true,
  effect: 'read',
  operation: operations.search,
  input: z.strictObject({
    query: z.string().max(32_768).describe('What to look for, in plain words'),
    project_id: projectId,
  }),
  payload: (given, _format, { maxTopK }) => ({ ...given, top_k: Math.min(10, maxTopK), result_mode: 'compact' }),
  fields: (answer) => {
    const { status, results } = answer as { status: string; results: CompactItem[] };
    return { status, results: results.map(found) };
  },
  output: z.object({ results: z.array(z.object({ ...document, text: z.string() })) }),
});

export const fetchTool = memoryTool({
  name: 'fetch',
  title: 'Fetch',
  description:
    'One stored conversation by the id that search returned, as a document with its whole text and as messages with the role and origin of each. In text a message begins at the beginning of a line; its further lines are indented.',
  returnsStored: true,
  effect: 'read',
  operation: operations.retrieve,
  input: z.strictObject({
    id: z.string().describe('The id of a search result'),
    project_id: z.string().optional().describe('Only in this project; default every project you may read'),
  }),
  fields: (answer) => {
    const { status, memory } = answer as { status: string; memory: ConversationOutput };
    return { status, ...documentOf(memory) };
  },
  output: z.object({ ...document, text: z.string(), messages: z.array(message), metadata: z.looseObject({}) }),
});

function found({ id, snippet, ...heading }: CompactItem) {
  return { id, title: titleOf(heading), url: conversationUri(id), text: snippet };
}

function documentOf(memory: ConversationOutput) {
  const { id, source, timestamp, messages = [], metadata } = memory;
  return {
    id,
    title: titleOf(memory),
    text: messages.map(turnOf).join('\n\n'),
    messages: messages.map(({ role, text, timestamp: said }, index) => {
      const origin = { conversation_id: id, message_index: index, source };
      return { role, origin, text, ...(said === undefined ? {} : { timestamp: said }) };
    }),
    url: conversationUri(id),
    metadata: { ...metadata, source, timestamp },
  };
}

function turnOf({ role, text, timestamp }: NonNullable<ConversationOutput['messages']>[number]): string {
  return documentTurn(`${speakers[role]}${timestamp === undefined ? '' : ` (${timestamp})`}`, text);
}

const speakers = { user: 'User', assistant: 'Assistant' };

function titleOf({ title, source, timestamp }: { title?: string | undefined; source: string; timestamp: string }) {
  return title ?? `${source}, ${timestamp.slice(0, 10)}`;
}

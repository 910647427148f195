import { z } from 'zod';
import { documentTurn } from '../../model/text.js';
import { askInput } from '../../operations/ask/shapes.js';
import type { ConversationOutput } from '../../operations/present.js';
import { type CompactItem, searchInput } from '../../operations/search/shapes.js';
import { operations } from '../../operations/table.js';
import { askAnswer, compactAsk, compactSearch, searchAnswer } from '../compact/answers.js';
import { conversationUri } from '../resources.js';
import { conversationInput, conversationPayload, type MemoryTool, memoryTool } from '../tool.js';

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

const searchTool = memoryTool({
  name: 'search',
  title: 'Search',
  description:
    'Search the stored conversations. Returns id, title and url of each; fetch returns a whole conversation.',
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

const fetchTool = memoryTool({
  name: 'fetch',
  title: 'Fetch',
  description:
    'One stored conversation by the id that search returned, as a document with its whole text and as messages with the role and origin of each. In text, each message starts at the beginning of a line, and its further lines are indented.',
  returnsStored: true,
  effect: 'read',
  operation: operations.retrieve,
  input: z.strictObject({
    id: z.string().describe('The id of a search result'),
    project_id: z.string().optional().describe('Only in this project; default all projects you may read'),
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

const guided = { guidance: z.string().optional().describe('What to do with the answer') };

/** Every tool, in list order. To add one, add an entry here for an operation of operations/table.ts. */
export const memoryTools: readonly MemoryTool[] = [
  memoryTool({
    name: 'memory_validate',
    title: 'Memory Validate',
    description: 'Check a conversation as memory_insert would, without storing it. Says what is wrong and where.',
    effect: 'read',
    operation: operations.validate,
    input: conversationInput,
    payload: conversationPayload,
    failed: { valid: false },
  }),
  memoryTool({
    name: 'memory_insert',
    title: 'Memory Insert',
    description:
      'Store one whole conversation, when the user asked for it, confirmed it or enabled auto-save (say which in metadata.save_intent). The same conversation sent again is stored once.',
    effect: 'add',
    operation: operations.insert,
    input: conversationInput,
    payload: conversationPayload,
  }),
  memoryTool({
    name: 'memory_search',
    title: 'Memory Search',
    description:
      'Search earlier conversations by meaning and by words, with filters and paging. Returns the matching messages with date, speaker, title and id, and the current facts they state; memory_context shows the messages around one, memory_retrieve a whole conversation.',
    returnsStored: true,
    effect: 'read',
    operation: operations.search,
    input: searchInput.omit({ include_messages: true, include_facts: true, explain: true }),
    formats: true,
    payload: (given, format) => ({ ...given, include_facts: true, include_messages: format === 'detailed' }),
    compact: compactSearch,
    output: searchAnswer.extend(guided),
  }),
  memoryTool({
    name: 'memory_retrieve',
    title: 'Memory Retrieve',
    description: 'One whole stored conversation by its id: every message in order.',
    returnsStored: true,
    effect: 'read',
    operation: operations.retrieve,
  }),
  memoryTool({
    name: 'memory_context',
    title: 'Memory Context',
    description:
      'The messages around one message: give the id and message_index of a search result or a citation, and the number of messages before and after it.',
    returnsStored: true,
    effect: 'read',
    operation: operations.context,
    formats: true,
  }),
  memoryTool({
    name: 'memory_ask',
    title: 'Memory Ask',
    description:
      'Answers a question from memory: a draft of the answer and its confidence, with the messages and current facts it is based on. Compose your own answer from these and cite their ids. Returns not_found if the memory has no answer: do not guess then.',
    returnsStored: true,
    effect: 'read',
    operation: operations.ask,
    tellsProgress: true,
    nullable: ['max_context_tokens'],
    input: askInput.omit({ include_facts: true }),
    formats: true,
    payload: ({ include_messages = true, ...given }, format) => ({
      ...given,
      include_facts: true,
      include_messages: format === 'detailed' && include_messages,
    }),
    compact: compactAsk,
    output: askAnswer.extend(guided),
  }),
  memoryTool({
    name: 'memory_fact_search',
    title: 'Memory Fact Search',
    description: 'Stored facts (name, home, work, preferences, decisions …), with their sources and earlier values.',
    returnsStored: true,
    effect: 'read',
    operation: operations.facts_search,
    formats: true,
  }),
  memoryTool({
    name: 'memory_profile_get',
    title: 'Memory Profile Get',
    description: 'The facts about a subject, by default the user, with a summary. A good start for a session.',
    returnsStored: true,
    effect: 'read',
    operation: operations.profile_get,
    formats: true,
  }),
  memoryTool({
    name: 'memory_people',
    title: 'Memory People',
    description:
      'The people and pets the user mentioned, their relation to the user, since when, and the conversations that say so.',
    returnsStored: true,
    effect: 'read',
    operation: operations.people_list,
  }),
  memoryTool({
    name: 'memory_fact_supersede',
    title: 'Memory Fact Supersede',
    description: 'Mark a fact as replaced by another one. Only when the user says that the old one is no longer true.',
    returnsStored: true,
    effect: 'change',
    operation: operations.facts_supersede,
  }),
  memoryTool({
    name: 'memory_fact_add',
    title: 'Memory Fact Add',
    description: 'Store a fact that the user asks you to remember, without a conversation. Only when the user says so.',
    returnsStored: true,
    effect: 'add',
    operation: operations.facts_add,
  }),
  memoryTool({
    name: 'memory_fact_correct',
    title: 'Memory Fact Correct',
    description:
      'Correct the value of a fact; the old one stays as history. Only when the user says that the value is wrong.',
    returnsStored: true,
    effect: 'change',
    operation: operations.facts_correct,
  }),
  memoryTool({
    name: 'memory_fact_retract',
    title: 'Memory Fact Retract',
    description:
      'Mark a fact as wrong, or with `until` as no longer true. Only when the user says so and there is no correct value.',
    returnsStored: true,
    effect: 'change',
    operation: operations.facts_retract,
  }),
  memoryTool({
    name: 'memory_fact_pin',
    title: 'Memory Fact Pin',
    description:
      'Pin a fact: it stays current regardless of later statements, and is listed first. Only when the user says so.',
    returnsStored: true,
    effect: 'change',
    operation: operations.facts_pin,
  }),
  memoryTool({
    name: 'memory_fact_unpin',
    title: 'Memory Fact Unpin',
    description: 'Unpin a fact: newer statements may replace it again. Only when the user says so.',
    returnsStored: true,
    effect: 'change',
    operation: operations.facts_unpin,
  }),
  memoryTool({
    name: 'memory_fact_undo',
    title: 'Memory Fact Undo',
    description: 'Undo the last manual change of a fact: added, corrected, retracted, pinned or superseded.',
    returnsStored: true,
    effect: 'change',
    repeats: true,
    operation: operations.facts_undo,
  }),
  memoryTool({
    name: 'memory_pending_approve',
    title: 'Memory Pending Approve',
    description:
      'Approve a memory that is held for review: it becomes visible to searches. Only when the user says so.',
    effect: 'add',
    operation: operations.pending_approve,
  }),
  memoryTool({
    name: 'memory_pending_reject',
    title: 'Memory Pending Reject',
    description: 'Reject a memory that is held for review: it stays hidden. Only when the user says so.',
    effect: 'change',
    operation: operations.pending_reject,
  }),
  memoryTool({
    name: 'memory_project_list',
    title: 'Memory Project List',
    description: 'The projects whose memory you may use, your own first, with your role in each.',
    effect: 'read',
    operation: operations.project_list,
  }),
  memoryTool({
    name: 'memory_project_default_get',
    title: 'Memory Default Project',
    description: 'Your own private project, which is used when a call has no project_id.',
    effect: 'read',
    operation: operations.project_default_get,
  }),
  memoryTool({
    name: 'memory_project_get',
    title: 'Memory Project Get',
    description: 'One project you are a member of, with your role in it.',
    effect: 'read',
    operation: operations.project_get,
  }),
  searchTool,
  fetchTool,
];

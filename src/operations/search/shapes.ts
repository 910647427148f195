import { z } from 'zod';
import { memoryStatuses } from '../../model/conversation.js';
import { noted } from '../../model/parse.js';
import { matches } from '../../retrieval/match.js';
import { contents } from '../../retrieval/query-language.js';
import { statedFact } from '../facts/present.js';
import { anyCase, countField, date, moment, projectId, saidFilterShape, startUpTo, wordsUpTo } from '../fields.js';
import { conversationOutput } from '../present.js';

/** What the query language rejects, as a JSON Schema pattern: operators that accept only certain values. */
const oneOf = (values: readonly string[]): string => `(?:${values.map(anyCase).join('|')})`;
const period = `(?:${moment}|\\d{4}(?:-(?:0[1-9]|1[0-2]))?)`;
const wrongValue = (name: string, value: string): string => `${name}:(?!(?:"${value}"|${value})(?:\\s|$))\\S`;
const wrongRole = wrongValue(anyCase('role'), oneOf(['user', 'assistant']));
const wrongContent = wrongValue(anyCase('has'), oneOf(contents));
const dateOperators = oneOf(['before', 'after', 'on']);

export const queryPattern = `^(?!(?:[\\s\\S]*\\s)?(?:-?(?:${wrongRole}|${wrongContent})|${wrongValue(dateOperators, period)}|-${dateOperators}:\\S))[\\s\\S]*\\S`;

/** The default number of results of a search and of hits for an answer. */
export const usualTopK = 5;

export const resultModes = ['chunks', 'compact', 'conversations', 'threads'] as const;

export const sorts = ['relevance', 'newest', 'oldest'] as const;

/** The project, the memory status and the shape of the results. */
export const scopeFields = {
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  result_mode: z.enum(resultModes).default('chunks'),
  project_id: projectId.optional(),
};

export const includeFacts = z
  .boolean()
  .default(false)
  .describe('true adds `current_facts`: facts stated by the messages shown that are still current');

/** The operation checks the limits of the configuration; this is only the shape. */
export const searchInput = z.strictObject({
  query: noted(wordsUpTo(32_768), { pattern: queryPattern }).describe(
    'What to look for, in plain words; understands "exact phrase", -word and operators such as source:claude',
  ),
  top_k: countField(usualTopK, 'Number of results'),
  limit: z.int().min(1).optional().describe('Results per page, at most limits.max_top_k (100); default top_k'),
  cursor: startUpTo(200)
    .optional()
    .describe('The cursor of the previous page, or the number of results to skip, as in "10"'),
  ...saidFilterShape,
  ...scopeFields,
  sort: z
    .enum(sorts)
    .default('relevance')
    .describe('newest and oldest order the strong matches by time, or the weak ones if there are no strong ones'),
  rerank: z
    .boolean()
    .optional()
    .describe(
      'true lets the reading model reorder the best results by how well they answer, which takes longer; default true for MCP tools, else retrieval.rerank',
    ),
  match: z.enum(['any', 'strong']).default('any').describe('strong leaves out weak matches'),
  reference_date: date.optional().describe('The date that "last week" in the query is relative to; default now'),
  explain: z.boolean().default(false).describe('true adds the components of its relevance to each result'),
  include_facts: includeFacts,
  include_messages: z.boolean().default(true).describe('false leaves the messages out of the conversations'),
});

export type SearchInput = z.infer<typeof searchInput>;

const place = {
  id: z.string().describe('Canonical conversation id'),
  score: z.number().describe('Vector distance, lower is better'),
  relevance: z.number().describe('The fused score that orders the results, higher is better'),
  match: z.enum(matches).describe('strong, or weak if it is merely the nearest'),
  explanation: z.record(z.string(), z.number()).optional().describe('The components of the relevance, with `explain`'),
};

const said = z.string().describe("When it was sent: the message's own time, else the conversation's");

/** A chunk is a slice of one message; with one chunk per message, the two numbers are equal. */
const position = {
  chunk_index: z.number().int(),
  message_index: z.number().int().describe('The message of the conversation it is from, counted from 0'),
};

const span = z.object({ start: z.number().int(), end: z.number().int() });
const highlights = z.array(span).describe("The positions of the query's words, as offsets in UTF-16 code units");

const chunk = {
  ...position,
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  timestamp: said,
  highlights,
  excerpt: span.describe('The best matching part of the text, at most 240 characters'),
};

const counts = {
  conversation_score: z.number().describe('The best score among the retrieved chunks of the conversation'),
  conversation_match_count: z.number().int().describe('The number of retrieved chunks of the conversation'),
};

const heading = {
  title: z.string().optional(),
  source: z.string(),
  timestamp: said,
};

const part = z.object({ ...chunk, score: z.number(), relevance: z.number() });
const chunkItem = z.object({ ...place, ...chunk, conversation: conversationOutput, ...counts });
const compactItem = z.object({ ...place, ...heading, ...position, snippet: z.string(), highlights, ...counts });
const conversationItem = z.object({ ...chunkItem.shape, chunks: z.array(part) });
const threadItem = z.object({
  ...place,
  thread_id: z.string(),
  ...chunk,
  conversation_count: z.number().int(),
  match_count: z.number().int(),
  conversations: z.array(z.object({ ...place, ...heading, ...chunk, ...counts })),
});

export type ChunkItem = z.infer<typeof chunkItem>;
export type CompactItem = z.infer<typeof compactItem>;
export type ConversationItem = z.infer<typeof conversationItem>;
export type ThreadItem = z.infer<typeof threadItem>;

/** The results of any mode; the shape with the most fields is tried first. */
export const resultItems = z.array(z.union([conversationItem, chunkItem, compactItem, threadItem]));

export const currentFacts = z
  .array(statedFact)
  .optional()
  .describe('With `include_facts`: facts stated by the messages shown that are still current');

export const searchOutput = z.object({
  status: z.literal('ok'),
  results: resultItems,
  cursor: z.string().nullable().describe('Send it to get the next page; null on the last page'),
  total: z.number().int().describe('The approximate number of results; may grow when a later page searches deeper'),
  current_facts: currentFacts,
  diagnostics: z.record(z.string(), z.string()).optional().describe('What was not available for this search'),
});

export type SearchOutput = z.infer<typeof searchOutput>;

import { z } from 'zod';
import { memoryStatuses } from '../../model/conversation.js';
import { noted } from '../../model/schema-note.js';
import { contents } from '../../retrieval/query-language.js';
import { saidFilterShape } from '../conversation-filter.js';
import { anyCase, cursorUpTo, date, moment, projectId, wordsUpTo } from '../fields.js';
import { countField } from '../paging.js';

/** What the query language refuses, as a pattern of JSON Schema: operators that take only some values. */
const oneOf = (values: readonly string[]): string => `(?:${values.map(anyCase).join('|')})`;
const period = `(?:${moment}|\\d{4}(?:-(?:0[1-9]|1[0-2]))?)`;
const wrongValue = (name: string, value: string): string => `${name}:(?!(?:"${value}"|${value})(?:\\s|$))\\S`;
const wrongRole = wrongValue(anyCase('role'), oneOf(['user', 'assistant']));
const wrongContent = wrongValue(anyCase('has'), oneOf(contents));
const dateOperators = oneOf(['before', 'after', 'on']);

export const queryPattern = `^(?!(?:[\\s\\S]*\\s)?(?:-?(?:${wrongRole}|${wrongContent})|${wrongValue(dateOperators, period)}|-${dateOperators}:\\S))[\\s\\S]*\\S`;

/** How many results a search gives and an answer is made from, unless the caller says. */
export const usualTopK = 5;

export const resultModes = ['chunks', 'compact', 'conversations', 'threads'] as const;

export const sorts = ['relevance', 'newest', 'oldest'] as const;

/** Whose memories, in which state, and in which shape they are given. */
export const scopeFields = {
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  result_mode: z.enum(resultModes).default('chunks'),
  project_id: projectId.optional(),
};

export const includeFacts = z
  .boolean()
  .default(false)
  .describe('true adds `current_facts`: what the messages that are shown state and is still so');

/** Limits that come from the configuration are checked by the operation; these are the shapes. */
export const searchInput = z.strictObject({
  query: noted(wordsUpTo(32_768), { pattern: queryPattern }).describe(
    'What to look for, in plain words; understands "exact phrase", -word and operators such as source:claude',
  ),
  top_k: countField(usualTopK, 'How many results'),
  limit: z.int().min(1).optional().describe('Results per page, at most limits.max_top_k (100); default top_k'),
  cursor: cursorUpTo(200)
    .optional()
    .describe('The cursor of the page before, or how many results to pass over, as in "10"'),
  ...saidFilterShape,
  ...scopeFields,
  sort: z
    .enum(sorts)
    .default('relevance')
    .describe('newest and oldest order the strong matches by time, or the weak ones when there are no others'),
  rerank: z
    .boolean()
    .optional()
    .describe(
      'true lets the reading model order the best results by how well they answer, which takes longer; default true for MCP tools, else retrieval.rerank',
    ),
  match: z.enum(['any', 'strong']).default('any').describe('strong leaves out what only happens to be nearest'),
  reference_date: date.optional().describe('What "last week" in the query is counted from; default now'),
  explain: z.boolean().default(false).describe('true adds to each result what its relevance is made of'),
  include_facts: includeFacts,
  include_messages: z.boolean().default(true).describe('false leaves the messages out of the conversations'),
});

export type SearchInput = z.infer<typeof searchInput>;

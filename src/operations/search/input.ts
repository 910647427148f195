import { z } from 'zod';
import { memoryStatuses } from '../../model/conversation.js';
import { utcRange } from '../../model/time.js';

export const resultModes = ['chunks', 'compact', 'conversations', 'threads'] as const;

export const date = z
  .string()
  .refine((text) => utcRange(text) !== undefined, 'must be a date such as 2026-11-15 or an RFC 3339 time');

/** The filters that every read of conversations takes. */
export const filterFields = {
  source: z.string().optional().describe('Only conversations of this source'),
  date_from: date.optional().describe('Only conversations from this time on; a plain date means its whole UTC day'),
  date_to: date.optional().describe('Only conversations up to and including this time'),
  tags: z.array(z.string()).max(50).optional().describe('Only conversations with all of these manual tags'),
  thread_id: z.string().optional().describe('Only conversations of this thread'),
};

/** Whose memories, in which state, and in which shape they are given. */
export const scopeFields = {
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  result_mode: z.enum(resultModes).default('chunks'),
  project_id: z.string().optional(),
};

/** Limits that come from the configuration are checked by the operation; these are the shapes. */
export const searchInput = z.strictObject({
  query: z
    .string()
    .max(32_768)
    .refine((text) => /\S/.test(text), 'must hold more than white space')
    .describe('What to look for, in plain words'),
  top_k: z.int().min(1).default(5).describe('How many results, at most limits.max_top_k (100)'),
  limit: z.int().min(1).optional().describe('Results per page; default top_k'),
  cursor: z.string().max(200).optional().describe('The cursor of the page before'),
  ...filterFields,
  ...scopeFields,
  reference_date: date.optional().describe('What "last week" in the query is counted from; default now'),
  explain: z.boolean().default(false).describe('true adds to each result what its relevance is made of'),
  include_messages: z.boolean().default(true).describe('false leaves the messages out of the conversations'),
});

export type SearchInput = z.infer<typeof searchInput>;

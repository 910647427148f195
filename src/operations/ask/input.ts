import { z } from 'zod';
import { asOfField } from '../as-of.js';
import { saidFilterShape } from '../conversation-filter.js';
import { date, wordsUpTo } from '../fields.js';
import { countField } from '../paging.js';
import { includeFacts, scopeFields, usualTopK } from '../search/input.js';

export const askInput = z.strictObject({
  question: wordsUpTo(32_768).describe('A question in plain words'),
  top_k: countField(usualTopK, 'How many hits an answer is made from'),
  max_context_tokens: z
    .int()
    .min(1)
    .optional()
    .describe(
      'How many tokens of memory the answer may use; default ask.max_context_tokens where that is set or the tokenizer is enabled',
    ),
  ...saidFilterShape,
  ...scopeFields,
  as_of: asOfField,
  reference_date: date.optional().describe('What "last week" in the question is counted from; default as_of, else now'),
  rerank: z
    .boolean()
    .default(true)
    .describe('false reads the first hits as the search found them instead of choosing from more, which is quicker'),
  explain: z.boolean().default(false).describe('true adds what the confidence and each relevance are made of'),
  include_facts: includeFacts,
  include_messages: z.boolean().default(true).describe('false leaves the messages out of the conversations'),
});

export type AskInput = z.infer<typeof askInput>;

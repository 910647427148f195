import { z } from 'zod';
import { memoryStatuses } from '../../model/conversation.js';
import { noted } from '../../model/schema-note.js';
import { filterShape } from '../conversation-filter.js';
import { date, memoryId, projectId } from '../fields.js';

/** Everything at once is too easily said by mistake: one of these says what to forget. */
export const forgetCriteria = [
  'ids',
  'source',
  'date_from',
  'date_to',
  'before',
  'tags',
  'thread_id',
  'token_id',
] as const;

export const forgetInput = noted(
  z.strictObject({
    ids: z.array(memoryId).min(1).max(1_000).optional().describe('These conversations'),
    ...filterShape,
    before: date.optional().describe('Only conversations before this time; a plain date means before that UTC day'),
    token_id: z.string().optional().describe('Only conversations that this token wrote'),
    memory_status: z.enum([...memoryStatuses, 'all']).default('all'),
    project_id: projectId.optional(),
    dry_run: z.boolean().default(true).describe('true (the default) counts what would go and changes nothing'),
    allow_return: z
      .boolean()
      .default(false)
      .describe('true leaves no mark behind, and lifts the mark of ids forgotten before: they may be stored again'),
  }),
  { anyOf: forgetCriteria.map((field) => ({ required: [field] })) },
);

export type ForgetInput = z.infer<typeof forgetInput>;

export const forgetOutput = z.object({
  status: z.literal('ok'),
  dry_run: z.boolean(),
  conversations: z.number().int(),
  messages: z.number().int(),
  chunks: z.number().int(),
  facts: z.number().int().describe('Facts that go, because nothing else states them'),
  examples: z
    .array(z.object({ id: z.string(), title: z.string().optional(), source: z.string(), timestamp: z.string() }))
    .describe('Some of them, newest first'),
  lifted: z.number().int().describe('Marks of earlier forgetting that were lifted'),
});

export type ForgetOutput = z.infer<typeof forgetOutput>;

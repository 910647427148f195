import { z } from 'zod';
import { failureReasons } from '../../language-model/contract.js';
import { asOfField } from '../as-of.js';
import { factOutput } from '../facts/present.js';
import { countField, date, saidFilterShape, wordsUpTo } from '../fields.js';
import { currentFacts, includeFacts, resultItems, scopeFields, usualTopK } from '../search/shapes.js';

export const askInput = z.strictObject({
  question: wordsUpTo(32_768).describe('A question in plain words'),
  top_k: countField(usualTopK, 'Number of hits that an answer is based on'),
  max_context_tokens: z
    .int()
    .min(1)
    .optional()
    .describe(
      'How many tokens of memory the answer may use; default ask.max_context_tokens if that is set or the tokenizer is enabled',
    ),
  ...saidFilterShape,
  ...scopeFields,
  as_of: asOfField,
  reference_date: date
    .optional()
    .describe('The date that "last week" in the question is relative to; default as_of, else now'),
  rerank: z
    .boolean()
    .default(true)
    .describe('false reads the first hits in the order of the search instead of choosing from more, which is faster'),
  explain: z.boolean().default(false).describe('true adds the components of the confidence and of each relevance'),
  include_facts: includeFacts,
  include_messages: z.boolean().default(true).describe('false leaves the messages out of the conversations'),
});

export type AskInput = z.infer<typeof askInput>;

const namedTime = z.object({
  phrase: z.string(),
  from: z.string().describe('First day'),
  to: z.string().describe('Last day'),
  display: z.string(),
});

const chunkCitation = z.object({
  type: z.literal('chunk'),
  id: z.string().describe('Conversation id'),
  chunk_index: z.number().int(),
  message_index: z.number().int().describe('The quoted message of the conversation, counted from 0'),
  score: z.number().optional().describe('Vector distance, lower is better; absent for a message quoted for context'),
  text: z.string().describe('The quoted text'),
  role: z.enum(['user', 'assistant']),
  title: z.string().optional(),
  source: z.string(),
  timestamp: z.string().describe("When it was sent: the message's own time, else the conversation's"),
  times: z
    .array(namedTime)
    .optional()
    .describe('The dates that its time expressions mean, relative to the day it was sent'),
});

const factCitation = z.object({
  type: z.literal('fact'),
  id: z.string().describe('The conversation that states it'),
  fact_id: z.string(),
  predicate: z.string(),
  text: z.string().describe('The normalized value'),
  quote: z.string().describe('The sentence that states it'),
  stated_at: z.string().optional().describe('When the message with that sentence was sent, in UTC'),
  source_quality: z.string(),
  confidence_reason: z.string(),
  last_confirmed_at: z.string(),
  save_intent: z.string().optional(),
  save_intent_source: z.string().optional(),
});

const chunkEvidence = z.object({
  type: z.literal('chunk'),
  conversation_id: z.string(),
  chunk_index: z.number().int(),
  message_index: z.number().int(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  timestamp: z.string().optional().describe("The message's own time; absent if only the conversation's is known"),
  score: z.number().optional(),
  used_in_answer: z.boolean(),
  truncated: z.literal(true).optional().describe('Cut to fit the token budget'),
});

const hitRead = z.object({
  conversation_id: z.string(),
  message_index: z.number().int(),
  probability: z.number().describe('How likely the message answers the question'),
  components: z.record(z.string(), z.number()).describe('The components of the probability'),
});

const factEvidence = z.object({
  type: z.literal('fact'),
  fact_id: z.string(),
  ...factOutput.shape,
  used_in_answer: z.boolean(),
});

const sourceConversation = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string().optional(),
  timestamp: z.string(),
  thread_id: z.string().optional(),
  chunk_indexes: z.array(z.number().int()),
  fact_ids: z.array(z.string()),
});

const citedEvidence = z.union([
  z.object({
    id: z.number().int().describe('The number in brackets'),
    type: z.literal('chunk'),
    conversation_id: z.string(),
    message_index: z.number().int(),
  }),
  z.object({ id: z.number().int(), type: z.literal('fact'), fact_id: z.string(), conversation_id: z.string() }),
]);

/** A sentence written by a language model that passed the check. */
export const answerSentence = z.object({
  text: z.string().describe('With the numbers of its evidence in brackets'),
  evidence: z.array(citedEvidence).describe('The evidence that it cites'),
});

/** Who phrased the answer, where `ask.model` is configured. */
const composition = z.object({
  by: z.enum(['model', 'extraction']).describe('`extraction`: the answer was made without a language model'),
  reason: z
    .enum([...failureReasons, 'unsupported', 'not_found', 'conflict'])
    .optional()
    .describe('Why the model did not write it; `not_found` and `conflict` were not sent to it'),
  model: z.string().optional(),
  sentences: z.array(answerSentence).optional(),
  sentences_dropped: z.number().int().describe('Number of sentences by the model that the evidence does not support'),
  extractive_answer: z.string().optional().describe('The answer without the model'),
});

const answerBasis = z.enum(['direct_memory', 'fact_layer', 'mixed', 'conflict', 'not_found']);
const confidence = z.enum(['high', 'medium', 'low', 'none']);

const answeredPart = z.object({
  question: z.string(),
  answer: z.string(),
  answer_basis: answerBasis,
  confidence,
});

export const askOutput = z.object({
  status: z.literal('ok'),
  answer: z.string(),
  answer_basis: answerBasis,
  confidence,
  confidence_reason: z.string(),
  confidence_score: z
    .number()
    .optional()
    .describe('The probability that the answer is right, 0 to 1; absent if no model has read the messages'),
  parts: z
    .array(answeredPart)
    .optional()
    .describe(
      'The answers to the parts of a compound question; the overall confidence is that of the least certain part',
    ),
  citations: z
    .array(z.union([chunkCitation, factCitation]))
    .describe('The chunks and facts that the answer is based on'),
  provenance: z.object({ conversations: z.array(sourceConversation) }),
  evidence: z.array(z.union([chunkEvidence, factEvidence])),
  structured_evidence: z.object({ facts: z.array(factEvidence), results: resultItems }),
  facts: z.array(factOutput).describe('The active facts the answer states'),
  current_facts: currentFacts,
  composition: composition.optional().describe('Who phrased the answer; absent without `ask.model`'),
  results: resultItems.describe('The hits that the answer is based on, or the closest ones if there is no answer'),
  context_tokens_used: z.number().int().optional().describe('With a token budget: tokens of the texts and facts used'),
  chunks_selected: z.number().int().optional(),
  chunks_dropped: z.number().int().optional(),
  tokenizer_used: z.string().optional(),
  explanation: z.record(z.string(), z.number()).optional().describe('The components of the confidence, with `explain`'),
  read: z
    .array(hitRead)
    .optional()
    .describe('The messages that the reading model read, the likeliest answer first, with `explain`'),
  diagnostics: z.record(z.string(), z.string()).optional().describe('What was not available for this answer'),
});

export type AnswerSentence = z.infer<typeof answerSentence>;
export type AskOutput = z.infer<typeof askOutput>;
export type Citation = AskOutput['citations'][number];
export type Evidence = AskOutput['evidence'][number];
export type ChunkEvidence = z.infer<typeof chunkEvidence>;
export type FactEvidence = z.infer<typeof factEvidence>;

import { z } from 'zod';
import { matches } from '../../retrieval/match.js';
import { statedFact } from '../facts/present.js';
import { conversationOutput } from '../present.js';

const place = {
  id: z.string().describe('Canonical conversation id'),
  score: z.number().describe('Vector distance, lower is better'),
  relevance: z.number().describe('The fused score that orders the results, higher is better'),
  match: z.enum(matches).describe('strong, or weak: only the nearest there is'),
  explanation: z.record(z.string(), z.number()).optional().describe('The parts of the relevance, with `explain`'),
};

const said = z.string().describe("When it was said: the message's own time, else the conversation's");

/** A chunk is a slice of one message; with one chunk a message the two numbers are the same. */
const position = {
  chunk_index: z.number().int(),
  message_index: z.number().int().describe('Which message of the conversation it is from, counted from 0'),
};

const span = z.object({ start: z.number().int(), end: z.number().int() });
const highlights = z.array(span).describe('Where words of the query are, in UTF-16 code units from the beginning');

const chunk = {
  ...position,
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  timestamp: said,
  highlights,
  excerpt: span.describe('The part of the text that matches best, at most 240 characters'),
};

const counts = {
  conversation_score: z.number().describe('Best score of the conversation among the retrieved chunks'),
  conversation_match_count: z.number().int().describe('Retrieved chunks of the conversation'),
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

/** What any result mode gives; the shape with the most fields is tried first. */
export const resultItems = z.array(z.union([conversationItem, chunkItem, compactItem, threadItem]));

export const currentFacts = z
  .array(statedFact)
  .optional()
  .describe('With `include_facts`: what the messages that are shown state and is still so');

export const searchOutput = z.object({
  status: z.literal('ok'),
  results: resultItems,
  cursor: z.string().nullable().describe('Pass it back to get the next page; null at the end'),
  total: z.number().int().describe('About how many results there are; grows where a later page looks further'),
  current_facts: currentFacts,
  diagnostics: z.record(z.string(), z.string()).optional().describe('What was not available for this search'),
});

export type SearchOutput = z.infer<typeof searchOutput>;

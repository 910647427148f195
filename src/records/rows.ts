import type { RowOf } from '../model/tables.js';

export type ConversationRow = RowOf<'conversations'>;
export type MessageRow = RowOf<'messages'>;
export type ChunkRow = RowOf<'chunks'>;
export type MessageVectorsRow = RowOf<'message_vectors'>;
export type TopicRow = RowOf<'topics'>;
export type SummaryRow = RowOf<'summaries'>;

/** Zero-padded so that ids of one conversation sort in the order of its messages. */
export function messageId(conversationId: string, messageIndex: number): string {
  return `${conversationId}:${String(messageIndex).padStart(6, '0')}`;
}

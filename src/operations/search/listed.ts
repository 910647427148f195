import { timeOf } from '../../model/conversation.js';
import { wasSaidWithin } from '../../records/said-within.js';
import { type ConversationRow, messageId } from '../../records/store.js';
import type { RankedHit } from '../../retrieval/rank.js';
import type { Service } from '../service.js';
import type { Plan } from './gather.js';
import type { ReadQuery } from './query.js';

interface Listed {
  ranked: RankedHit[];
  conversations: Map<string, ConversationRow>;
}

const conversationsAtOnce = 50;
/** Conversations that one request looks through for messages that pass. */
const mostConversations = 5_000;

/** A query of operators alone has nothing to rank by: of each conversation they leave, its first message that passes. */
export async function listByTime(
  service: Service,
  plan: Pick<Plan, 'visibility'>,
  { filter, passes }: ReadQuery,
  page: { direction: 'asc' | 'desc'; most: number },
): Promise<Listed> {
  const { conversations: records, chunks } = service.records;
  const ranked: RankedHit[] = [];
  const conversations = new Map<string, ConversationRow>();
  const isAnyGood = passes === undefined && filter.saidFrom === undefined && filter.saidTo === undefined;
  let after: { value: string; id: string } | undefined;
  for (let seen = 0; seen < mostConversations && ranked.length < page.most; seen += conversationsAtOnce) {
    const rows = await records.inTime(plan.visibility, filter, {
      direction: page.direction,
      limit: conversationsAtOnce,
      after,
    });
    for (const row of rows) {
      const held = await chunks.ofConversation(row.id);
      const looked = isAnyGood ? held.slice(0, 1) : held;
      const messages = await records.messagesAt(looked);
      for (const chunk of looked) {
        const message = messages.get(messageId(row.id, chunk.message_index));
        if (message === undefined || !wasSaidWithin(message, row, filter)) continue;
        const text = message.text.slice(chunk.start, chunk.end);
        if (passes?.({ text, role: chunk.role }, row) === false) continue;
        conversations.set(row.id, row);
        ranked.push({
          chunkId: chunk.id,
          conversationId: row.id,
          chunkIndex: chunk.chunk_index,
          messageIndex: chunk.message_index,
          role: chunk.role,
          text,
          at: timeOf(message, row).at,
          ...(message.timestamp === undefined ? {} : { timestamp: message.timestamp }),
          metadataMatch: 0,
          relevance: 0,
          shares: {},
        });
        break;
      }
      if (ranked.length >= page.most) break;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < conversationsAtOnce) break;
    after = { value: last.at, id: last.id };
  }
  return { ranked, conversations };
}

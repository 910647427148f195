import { runYielding } from '../../concurrency/yielding.js';
import { extracting } from '../../facts/extract.js';
import { writeWithFacts } from '../../indexing/facts/remember.js';
import { spanOf } from '../../indexing/rows.js';
import type { Message } from '../../model/conversation.js';
import { type ConversationRow, type MessageRow, messageId } from '../../records/rows.js';
import type { Change } from '../../records/store.js';
import type { Service } from '../service.js';

/*
 * A conversation that was stored without the times of its messages learns them when the same words are captured again
 * with times: an older store by importing the same export once more. Times that are known stay as they are.
 */

/** Whether a capture tells times of a stored conversation that has none. */
export function tellsTimes(stored: ConversationRow, sent: readonly Message[]): boolean {
  return stored.last_at === undefined && sent.some(({ timestamp }) => timestamp !== undefined);
}

export interface Learned {
  /** The stored messages with the times that are known now. */
  messages: MessageRow[];
  changes: Change[];
}

/** Only where the sent messages are the stored ones from the first on: of a part of them the places are not known. */
export function learnedFrom(messages: readonly MessageRow[], sent: readonly Message[]): Learned {
  const isAligned = messages.every(({ hash }, index) => index >= sent.length || sent[index]?.hash === hash);
  if (!isAligned) return { messages: [...messages], changes: [] };
  const learned = messages.map((message, index) => {
    const timestamp = message.timestamp ?? sent[index]?.timestamp;
    return timestamp === undefined ? message : { ...message, timestamp };
  });
  const changes = learned.flatMap(({ conversation_id, message_index, timestamp }, index): Change[] => {
    if (timestamp === undefined || timestamp === messages[index]?.timestamp) return [];
    const ids = [messageId(conversation_id, message_index)];
    return [{ kind: 'patch', table: 'messages', ids, set: { timestamp } }];
  });
  return { messages: learned, changes };
}

/** Throws WriteConflict when messages were added meanwhile. */
export async function learnTimes(service: Service, stored: ConversationRow, sent: readonly Message[]): Promise<void> {
  const messages = (await service.records.conversations.messagesOf([stored.id])).get(stored.id) ?? [];
  const learned = learnedFrom(messages, sent);
  if (learned.changes.length === 0) return;
  const row: ConversationRow = { ...stored, ...spanOf(learned.messages) };
  const statements = await runYielding(extracting({ title: row.title, messages }));
  const chunks = await service.records.chunks.ofConversation(row.id);
  const { id, first_at, last_at, conversation_hash, memory_status } = row;
  await writeWithFacts(service, { row, messages: learned.messages, statements, chunks }, [
    {
      kind: 'patch',
      table: 'conversations',
      ids: [id],
      set: { first_at, last_at },
      when: { conversation_hash, memory_status },
    },
    ...learned.changes,
  ]);
}

import type { FactAnswer } from '../../answers/fact-answer.js';
import type { Fact, FactSource } from '../../model/fact.js';
import { type ConversationRow, messageId } from '../../records/rows.js';
import type { Service } from '../service.js';

/** The sentence that states a fact, by the fact's id. */
export type Quotes = ReadonlyMap<string, { conversationId: string; text: string }>;

/** The newest statement of a fact among the conversations that are left. */
export function newestSource(fact: Fact, conversations: ReadonlyMap<string, ConversationRow>): FactSource | undefined {
  const sources = fact.sources.filter((source) => conversations.has(source.conversation_id) && source.ends !== true);
  return sources.reduce<FactSource | undefined>(
    (newest, source) => (newest === undefined || source.stated_at > newest.stated_at ? source : newest),
    undefined,
  );
}

export async function quotesOf(
  service: Service,
  { facts, history }: FactAnswer,
  conversations: ReadonlyMap<string, ConversationRow>,
): Promise<Quotes> {
  const sources = [...facts, ...history].flatMap((fact) => {
    const source = newestSource(fact, conversations);
    return source === undefined ? [] : [{ fact, source }];
  });
  const sentences = await sentencesOf(
    service,
    sources.map(({ source }) => source),
  );
  return new Map(
    sources.map(({ fact, source }) => [fact.id, { conversationId: source.conversation_id, text: sentences(source) }]),
  );
}

/** The sentence of each source, as it was said. */
export async function sentencesOf(
  service: Service,
  sources: readonly FactSource[],
): Promise<(source: FactSource) => string> {
  const messages = await service.records.conversations.messagesAt(sources);
  return ({ conversation_id, message_index, start, end }) =>
    messages.get(messageId(conversation_id, message_index))?.text.slice(start, end) ?? '';
}

import type { FactAnswer } from '../../answers/fact-answer.js';
import type { Fact, FactSource } from '../../model/fact.js';
import { type ConversationFilter, isSaidWithin } from '../../records/conversations.js';
import { type ConversationRow, messageId } from '../../records/rows.js';
import type { Service } from '../service.js';

/** The sentence that states a fact, by the fact's id. */
export type Quotes = ReadonlyMap<string, { conversationId: string; text: string; statedAt: string }>;

/** Where statements may come from: the conversations that are left, and the times that were asked for. */
export interface Seen {
  conversations: ReadonlyMap<string, ConversationRow>;
  filter: ConversationFilter;
}

/** The newest statement of a fact among those that may be seen. */
export function newestSource(fact: Fact, { conversations, filter }: Seen): FactSource | undefined {
  const { saidFrom: _, saidTo: __, ...ofConversations } = filter;
  const takesEntered = Object.keys(ofConversations).length === 0;
  const sources = fact.sources.filter(
    ({ conversation_id, stated_at, ends, by_hand }) =>
      // What the user entered belongs to no conversation, so no filter of conversations finds it.
      (by_hand ? takesEntered : conversations.has(conversation_id)) && isSaidWithin(stated_at, filter) && ends !== true,
  );
  return sources.reduce<FactSource | undefined>(
    (newest, source) => (newest === undefined || source.stated_at > newest.stated_at ? source : newest),
    undefined,
  );
}

export async function quotesOf(service: Service, { facts, history }: FactAnswer, seen: Seen): Promise<Quotes> {
  const sources = [...facts, ...history].flatMap((fact) => {
    const source = newestSource(fact, seen);
    return source === undefined ? [] : [{ fact, source }];
  });
  const sentences = await sentencesOf(
    service,
    sources.map(({ source }) => source),
  );
  return new Map(
    sources.map(({ fact, source }) => [
      fact.id,
      { conversationId: source.conversation_id, text: sentences(source), statedAt: source.stated_at },
    ]),
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

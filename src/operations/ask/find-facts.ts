import type { FactAnswer } from '../../answers/fact-answer.js';
import type { Question } from '../../answers/question.js';
import type { Visibility } from '../../model/access.js';
import type { Fact } from '../../model/fact.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { ConversationRow } from '../../records/rows.js';

import type { Service } from '../service.js';

/** What the facts say, with the conversations and sentences they come from. */
export interface FoundFacts {
  answer?: FactAnswer;
  conversations: Map<string, ConversationRow>;
  /** The sentence that states a fact, by its id. */
  quotes: ReadonlyMap<string, { conversationId: string; text: string }>;
}

export const noFacts: FoundFacts = { conversations: new Map(), quotes: new Map() };

/** The newest source of a fact that the caller may see and asked for. */
export function sourceOf(fact: Fact, conversations: ReadonlyMap<string, ConversationRow>): string | undefined {
  const sources = fact.sources.filter(({ conversation_id }) => conversations.has(conversation_id));
  return sources.reduce<(typeof sources)[number] | undefined>(
    (newest, source) => (newest === undefined || source.stated_at > newest.stated_at ? source : newest),
    undefined,
  )?.conversation_id;
}

/** What the facts know about a question. */
export async function findFacts(
  _service: Service,
  _visibility: Visibility,
  _request: { question: Question; filter: ConversationFilter },
): Promise<FoundFacts> {
  return noFacts;
}

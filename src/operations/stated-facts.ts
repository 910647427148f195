import { z } from 'zod';
import type { Visibility } from '../model/access.js';
import { type Fact, factConfidences } from '../model/fact.js';
import type { Service } from './service.js';

/** A current fact in brief: enough to answer with, and where to read more. */
export const statedFact = z.object({
  fact_id: z.string(),
  subject: z.string(),
  predicate: z.string(),
  value: z.string().describe('The value for display'),
  valid_from: z.string().describe('When it was first said, in UTC'),
  confirmed_at: z.string().describe('When it was last said, in UTC'),
  confidence: z.enum(factConfidences),
  conversation_id: z.string().describe('The conversation of the newest shown message that states it'),
  message_index: z.number().int(),
});

export type StatedFact = z.infer<typeof statedFact>;

/** A message of a conversation. */
export interface Place {
  conversationId: string;
  messageIndex: number;
}

/** As many as are readable beside the messages they come from. */
const mostFacts = 10;

/** Facts are looked up for this many conversations; results further down are rarely read. */
const mostConversations = 20;

/** The current facts that these messages state, newest first. They are shown beside the messages, never instead. */
export async function statedFacts(
  { records }: Pick<Service, 'records'>,
  visibility: Visibility,
  places: readonly Place[],
): Promise<StatedFact[]> {
  const ids = [...new Set(places.map(({ conversationId }) => conversationId))].slice(0, mostConversations);
  const found = await Promise.all(ids.map((id) => records.facts.ofConversation(visibility, id, 'active')));
  const wanted = new Set(places.map(({ conversationId, messageIndex }) => keyOf(conversationId, messageIndex)));
  const byId = new Map(found.flat().map((fact) => [fact.id, fact]));
  return [...byId.values()]
    .flatMap((fact) => shown(fact, wanted) ?? [])
    .toSorted((one, other) =>
      one.confirmed_at < other.confirmed_at ? 1 : one.confirmed_at > other.confirmed_at ? -1 : 0,
    )
    .slice(0, mostFacts);
}

function shown(fact: Fact, wanted: ReadonlySet<string>): StatedFact | undefined {
  // A recurring topic describes what conversations are about; it is not a statement.
  const stating = fact.sources.filter(
    ({ conversation_id, message_index, ends, inferred }) =>
      ends !== true && inferred !== true && wanted.has(keyOf(conversation_id, message_index)),
  );
  const newest = stating.reduce<(typeof stating)[number] | undefined>(
    (latest, each) => (latest === undefined || each.stated_at > latest.stated_at ? each : latest),
    undefined,
  );
  if (newest === undefined) return undefined;
  return {
    fact_id: fact.id,
    subject: fact.subject,
    predicate: fact.predicate,
    value: fact.object_normalized,
    valid_from: fact.created_at,
    confirmed_at: fact.last_confirmed_at,
    confidence: fact.confidence,
    conversation_id: newest.conversation_id,
    message_index: newest.message_index,
  };
}

function keyOf(conversationId: string, messageIndex: number): string {
  return `${conversationId}\n${messageIndex}`;
}

import { answerFromFacts, type FactAnswer } from '../../answers/fact-answer.js';
import { type FactQuery, factQueryOf, isWanted } from '../../answers/fact-match.js';
import type { Question } from '../../answers/question.js';
import { kindOf, predicateKinds } from '../../facts/predicates.js';
import type { Visibility } from '../../model/access.js';
import type { Fact, FactSource } from '../../model/fact.js';
import type { ConversationFilter } from '../../records/conversations.js';
import { type ConversationRow, messageId } from '../../records/rows.js';
import type { Service } from '../service.js';

/** What the facts say, with the conversations and sentences they come from. */
export interface FoundFacts {
  answer?: FactAnswer;
  conversations: Map<string, ConversationRow>;
  /** The sentence that states a fact, by the fact's id. */
  quotes: ReadonlyMap<string, { conversationId: string; text: string }>;
}

const isSingle = (predicate: string): boolean => kindOf(predicate)?.values === 'one';

/** As the table of predicates has them. */
const placeOf = (predicate: string): number =>
  predicateKinds.findIndex((kind) => kind.predicate === kindOf(predicate)?.predicate);

/** The newest facts of one subject that are looked through. */
const mostFacts = 1_000;

/** What the facts know about a question, from conversations the caller may see and asked for. */
export async function findFacts(
  service: Service,
  visibility: Visibility,
  { question, filter }: { question: Question; filter: ConversationFilter },
): Promise<FoundFacts> {
  const nothing = { conversations: new Map<string, ConversationRow>(), quotes: new Map() };
  const query = factQueryOf(question);
  if (query === undefined) return nothing;
  const found = await service.records.facts.search(visibility, filterFor(query), { limit: mostFacts });
  const wanted = found.filter((fact) => isWanted(fact, query));
  const ids = [...new Set(wanted.flatMap(({ conversation_ids }) => conversation_ids))];
  const rows = await service.records.conversations.byIds(visibility, ids, filter);
  const conversations = new Map(rows.map((row) => [row.id, row]));
  const visible = wanted.filter((fact) => newestSource(fact, conversations) !== undefined);
  const answer = answerFromFacts(visible, { question, isSingle, placeOf });
  if (answer === undefined) return nothing;
  return { answer, conversations, quotes: await quotesOf(service, answer, conversations) };
}

/** Exact predicates are asked for; of a family only its beginning is known. */
function filterFor({ route, subject }: FactQuery): { subject?: string; predicates?: readonly string[] } {
  const isExact = route.predicates.every((predicate) => !predicate.endsWith('_') && !predicate.startsWith('_'));
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(isExact ? { predicates: route.predicates } : {}),
  };
}

/** The newest statement of a fact among the conversations that are left. */
function newestSource(fact: Fact, conversations: ReadonlyMap<string, ConversationRow>): FactSource | undefined {
  const sources = fact.sources.filter((source) => conversations.has(source.conversation_id) && source.ends !== true);
  return sources.reduce<FactSource | undefined>(
    (newest, source) => (newest === undefined || source.stated_at > newest.stated_at ? source : newest),
    undefined,
  );
}

async function quotesOf(
  service: Service,
  { facts, history }: FactAnswer,
  conversations: ReadonlyMap<string, ConversationRow>,
): Promise<Map<string, { conversationId: string; text: string }>> {
  const sources = [...facts, ...history].flatMap((fact) => {
    const source = newestSource(fact, conversations);
    return source === undefined ? [] : [{ fact, source }];
  });
  const messages = await service.records.conversations.messagesAt(sources.map(({ source }) => source));
  return new Map(
    sources.flatMap(({ fact, source }) => {
      const message = messages.get(messageId(source.conversation_id, source.message_index));
      const text = message?.text.slice(source.start, source.end) ?? '';
      return [[fact.id, { conversationId: source.conversation_id, text }] as const];
    }),
  );
}

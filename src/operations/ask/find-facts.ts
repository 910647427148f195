import { answerFromFacts, type FactAnswer } from '../../answers/fact-answer.js';
import { type FactQuery, factQueryOf, isWanted } from '../../answers/fact-match.js';
import type { Question } from '../../answers/question.js';
import { neverWasSo } from '../../facts/by-hand.js';
import { kindOf, predicateKinds } from '../../facts/predicates.js';
import type { Visibility } from '../../model/access.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Service } from '../service.js';
import { newestSource, type Quotes, quotesOf } from './fact-sources.js';

/** What the facts say, with the conversations and sentences they come from. */
export interface FoundFacts {
  answer?: FactAnswer;
  conversations: Map<string, ConversationRow>;
  quotes: Quotes;
  /** Messages that say what was asked of the user about somebody else, by `messagePlace`. */
  ofOthers: ReadonlySet<string>;
}

/** A message as a key. */
export function messagePlace(conversationId: string, messageIndex: number): string {
  return `${conversationId}\n${messageIndex}`;
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
  const none = { conversations: new Map<string, ConversationRow>(), quotes: new Map(), ofOthers: new Set<string>() };
  const query = factQueryOf(question);
  if (query === undefined) return none;
  const nothing = { ...none, ofOthers: await saidOfOthers(service, visibility, query) };
  const found = await service.records.facts.search(visibility, filterFor(query), { limit: mostFacts });
  const wanted = found.filter((fact) => isWanted(fact, query) && !neverWasSo(fact));
  const ids = [...new Set(wanted.flatMap(({ conversation_ids }) => conversation_ids))];
  const rows = await service.records.conversations.byIds(visibility, ids, filter);
  const conversations = new Map(rows.map((row) => [row.id, row]));
  const visible = wanted.filter((fact) => newestSource(fact, { conversations, filter }) !== undefined);
  const answer = answerFromFacts(visible, { question, isSingle, placeOf });
  if (answer === undefined) return nothing;
  return { ...nothing, answer, conversations, quotes: await quotesOf(service, answer, { conversations, filter }) };
}

/** Exact predicates are asked for; of a family only its beginning is known. */
function filterFor({ route, subject }: FactQuery): { subject?: string; predicates?: readonly string[] } {
  const isExact = route.predicates.every((predicate) => !predicate.endsWith('_') && !predicate.startsWith('_'));
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(isExact ? { predicates: route.predicates } : {}),
  };
}

/** Where the same kind of fact is stated about somebody else, for a question about the user. */
async function saidOfOthers(service: Service, visibility: Visibility, query: FactQuery): Promise<Set<string>> {
  if (query.subject !== 'user') return new Set();
  const { subject: _, ...filter } = filterFor(query);
  const found = await service.records.facts.search(visibility, filter, { limit: mostFacts });
  const places = (isUser: boolean): string[] =>
    found
      .filter((fact) => (fact.subject_key === 'user') === isUser && isWanted(fact, query))
      .flatMap(({ sources }) => sources.map((each) => messagePlace(each.conversation_id, each.message_index)));
  const ofUser = new Set(places(true));
  return new Set(places(false).filter((place) => !ofUser.has(place)));
}

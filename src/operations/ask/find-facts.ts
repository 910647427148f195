import { answerFromFacts, type FactAnswer } from '../../answers/fact-answer.js';
import { type FactQuery, factQueryOf, isWanted } from '../../answers/fact-match.js';
import type { Hit } from '../../answers/hit.js';
import type { Question } from '../../answers/question.js';
import type { Superseded } from '../../answers/support.js';
import { neverWasSo } from '../../facts/by-hand.js';
import { clauseOf } from '../../facts/clauses.js';
import { kindOf, predicateKinds } from '../../facts/predicates.js';
import type { Visibility } from '../../model/access.js';
import type { Fact, FactSource } from '../../model/fact.js';
import { type ConversationFilter, isSaidWithin } from '../../records/conversations.js';
import { type ConversationRow, messageId } from '../../records/rows.js';
import type { Service } from '../service.js';

/*
 * The facts that may answer a question, those that took their place, and the messages they were said in.
 */

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

/** What the hits state that is no longer so, with the conversations behind those facts and their successors. */
export interface FoundSuperseded {
  of: (hit: Hit) => readonly Superseded[];
  conversations: Map<string, ConversationRow>;
}

export const nothingSuperseded: FoundSuperseded = { of: () => [], conversations: new Map() };

export async function findSuperseded(
  service: Service,
  visibility: Visibility,
  { hits, filter }: { hits: readonly Hit[]; filter: ConversationFilter },
): Promise<FoundSuperseded> {
  const { facts, conversations: stored } = service.records;
  const ids = [...new Set(hits.map(({ conversationId }) => conversationId))];
  const statedIn = async (conversationIds: readonly string[], status: Fact['status']): Promise<Fact[]> => {
    const found = await Promise.all(conversationIds.map((id) => facts.ofConversation(visibility, id, status)));
    return [...new Map(found.flat().map((fact) => [fact.id, fact])).values()];
  };
  const isHit = placesOf(hits);
  const over = (await statedIn(ids, 'superseded')).filter((fact) => statements(fact).some(isHit));
  if (over.length === 0) return nothingSuperseded;
  const touched = new Set(over.flatMap(({ conversation_ids }) => conversation_ids));
  const [standing, successors] = await Promise.all([
    statedIn(
      ids.filter((id) => touched.has(id)),
      'active',
    ),
    Promise.all(over.map((fact) => successorOf(service, visibility, fact))),
  ]);
  const behind = [...over, ...successors].flatMap((fact) => fact?.conversation_ids ?? []);
  const rows = await stored.byIds(visibility, [...new Set(behind)], filter);
  const conversations = new Map(rows.map((row) => [row.id, row]));
  const words = await wordsOf(service, over.flatMap(statements).filter(isHit), standing.flatMap(statements));
  return {
    conversations,
    of: (hit) =>
      over.flatMap((fact, at) => {
        const successor = successors[at];
        const isVisible = successor !== undefined && newestSource(successor, { conversations, filter }) !== undefined;
        return statements(fact)
          .filter(placesOf([hit]))
          .map((source) => ({ words: words(source), fact, ...(isVisible ? { successor } : {}) }));
      }),
  };
}

/** The sentences that say it is so; one that says it is over still holds. */
function statements({ sources }: Fact): FactSource[] {
  return sources.filter(({ ends, inferred }) => ends !== true && inferred !== true);
}

function placesOf(hits: readonly Hit[]): (source: FactSource) => boolean {
  const places = new Set(hits.map(({ conversationId, messageIndex }) => `${conversationId} ${messageIndex}`));
  return ({ conversation_id, message_index }) => places.has(`${conversation_id} ${message_index}`);
}

/** The clause that states a value; where the same clause states what still stands, the value alone. */
async function wordsOf(
  service: Service,
  over: readonly FactSource[],
  standing: readonly FactSource[],
): Promise<(source: FactSource) => string> {
  const sentence = await sentencesOf(service, over);
  return (source) => {
    const whole = sentence(source);
    const clause = clauseOf(whole, source.object_raw);
    const beside = standing.filter((other) => isSameSentence(source, other));
    const isShared = beside.some(({ object_raw }) => clauseOf(whole, object_raw) === clause);
    return isShared ? source.object_raw : clause;
  };
}

function isSameSentence(one: FactSource, other: FactSource): boolean {
  return (
    one.conversation_id === other.conversation_id &&
    one.message_index === other.message_index &&
    one.start === other.start
  );
}

/** Decisions that follow each other across predicates are rarely more than one. */
const longestChain = 20;

/** What stands at the end of the chain of those that took a fact's place. */
async function successorOf({ records }: Service, visibility: Visibility, over: Fact): Promise<Fact | undefined> {
  let current: Fact | undefined = over;
  for (let step = 0; current !== undefined && step < longestChain; step++) {
    const id: string | undefined = current.superseded_by;
    [current] = id === undefined ? [] : await records.facts.byIds(visibility, [id]);
    if (current === undefined || current.status === 'active') return current;
    // Where there is one value, each gave way to the next: the one that stands is found without walking.
    if (kindOf(current.predicate)?.values !== 'one') continue;
    const { subject, predicate } = current;
    const filter = { subject, predicates: [predicate], status: 'active' } as const;
    const [standing] = await records.facts.search(visibility, filter, { limit: 1 });
    if (standing !== undefined) return standing;
  }
  return undefined;
}

/** The sentence that states a fact, by the fact's id. */
type Quotes = ReadonlyMap<string, { conversationId: string; text: string; statedAt: string }>;

/** Where statements may come from: the conversations that are left, and the times that were asked for. */
interface Seen {
  conversations: ReadonlyMap<string, ConversationRow>;
  filter: ConversationFilter;
}

/** The newest statement of a fact among those that may be seen. */
function newestSource(fact: Fact, { conversations, filter }: Seen): FactSource | undefined {
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
async function sentencesOf(service: Service, sources: readonly FactSource[]): Promise<(source: FactSource) => string> {
  const messages = await service.records.conversations.messagesAt(sources);
  return ({ conversation_id, message_index, start, end }) =>
    messages.get(messageId(conversation_id, message_index))?.text.slice(start, end) ?? '';
}

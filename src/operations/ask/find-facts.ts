import { answerFromFacts, answerToCheck, type FactAnswer } from '../../answers/fact-answer.js';
import { type FactQuery, findingFactQuery, hasValue, isWanted } from '../../answers/fact-match.js';
import type { Question } from '../../answers/question.js';
import type { Superseded } from '../../answers/support.js';
import { runYielding } from '../../concurrency/yielding.js';
import { neverWasSo } from '../../facts/by-hand.js';
import { clauseOf } from '../../facts/clauses.js';
import { kindOf, predicateKinds } from '../../facts/predicates.js';
import type { Visibility } from '../../model/access.js';
import type { Fact, FactSource } from '../../model/fact.js';
import type { Hit } from '../../model/hit.js';
import { isSaidWithin } from '../../records/aliases.js';
import type { ConversationFilter } from '../../records/conversations.js';
import { type ConversationRow, messageId } from '../../records/store.js';
import type { Service } from '../service.js';

/*
 * Finds the facts that may answer a question, their successors, and the messages that state them.
 */

/** The answer from facts, with the conversations and sentences they come from. */
export interface FoundFacts {
  answer?: FactAnswer;
  conversations: Map<string, ConversationRow>;
  quotes: Quotes;
  /** Messages that state the requested kind of fact about someone other than the user, by `messagePlace`. */
  ofOthers: ReadonlySet<string>;
}

/** A key for a message. */
export function messagePlace(conversationId: string, messageIndex: number): string {
  return `${conversationId}\n${messageIndex}`;
}

const isSingle = (predicate: string): boolean => kindOf(predicate)?.values === 'one';

/** In the order of the predicate table. */
const placeOf = (predicate: string): number =>
  predicateKinds.findIndex((kind) => kind.predicate === kindOf(predicate)?.predicate);

/** The maximum number of facts of one subject that are read, newest first. */
const mostFacts = 1_000;

/** The facts about a question, from conversations that the caller may see and selected. */
export async function findFacts(
  service: Service,
  visibility: Visibility,
  { question, filter }: { question: Question; filter: ConversationFilter },
): Promise<FoundFacts> {
  const none = { conversations: new Map<string, ConversationRow>(), quotes: new Map(), ofOthers: new Set<string>() };
  const query = await runYielding(findingFactQuery(question));
  if (query === undefined) return none;
  const nothing = { ...none, ofOthers: await saidOfOthers(service, visibility, query) };
  const found = await service.records.facts.search(visibility, filterFor(query), { limit: mostFacts });
  const wanted = found.filter((fact) => isWanted(fact, query) && !neverWasSo(fact));
  const ids = [...new Set(wanted.flatMap(({ conversation_ids }) => conversation_ids))];
  const rows = await service.records.conversations.byIds(visibility, ids, filter);
  const conversations = new Map(rows.map((row) => [row.id, row]));
  const visible = wanted.filter((fact) => newestSource(fact, { conversations, filter }) !== undefined);
  const rules = { question, isSingle, placeOf };
  const answer = query.route.checks
    ? answerToCheck(visible, { ...rules, isAsked: (fact) => hasValue(fact, query.about) })
    : answerFromFacts(visible, rules);
  if (answer === undefined) return nothing;
  return { ...nothing, answer, conversations, quotes: await quotesOf(service, answer, { conversations, filter }) };
}

/** Exact predicates are filtered by the store; of a family only the prefix is known. */
function filterFor({ route, subject }: FactQuery): { subject?: string; predicates?: readonly string[] } {
  const isExact = route.predicates.every((predicate) => !predicate.endsWith('_') && !predicate.startsWith('_'));
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(isExact ? { predicates: route.predicates } : {}),
  };
}

/** For a question about the user: the messages that state the same kind of fact about another person. */
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

/** The outdated statements of the hits, with the conversations of those facts and their successors. */
export interface FoundSuperseded {
  of: (hit: Hit) => readonly Superseded[];
  /** The values that a hit says have ended. */
  endedIn: (hit: Hit) => readonly string[];
  conversations: Map<string, ConversationRow>;
}

export const nothingSuperseded: FoundSuperseded = { of: () => [], endedIn: () => [], conversations: new Map() };

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
  const past = await statedIn(ids, 'superseded');
  const endings = past.flatMap(({ sources }) => sources.filter((source) => source.ends === true && isHit(source)));
  const endedIn = (hit: Hit): string[] => endings.filter(placesOf([hit])).map(({ object_raw }) => object_raw);
  const over = past.filter((fact) => statements(fact).some(isHit));
  if (over.length === 0) return { ...nothingSuperseded, endedIn };
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
    endedIn,
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

/** The sentences that state the fact; a sentence that ends it is still true. */
function statements({ sources }: Fact): FactSource[] {
  return sources.filter(({ ends, inferred }) => ends !== true && inferred !== true);
}

function placesOf(hits: readonly Hit[]): (source: FactSource) => boolean {
  const places = new Set(hits.map(({ conversationId, messageIndex }) => `${conversationId} ${messageIndex}`));
  return ({ conversation_id, message_index }) => places.has(`${conversation_id} ${message_index}`);
}

/** The clause that states a value; if the same clause also states a current fact, the value alone. */
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

/** Chains of supersessions across predicates are rarely longer than one. */
const longestChain = 20;

/** The current fact at the end of a chain of supersessions. */
async function successorOf({ records }: Service, visibility: Visibility, over: Fact): Promise<Fact | undefined> {
  let current: Fact | undefined = over;
  for (let step = 0; current !== undefined && step < longestChain; step++) {
    const id: string | undefined = current.superseded_by;
    [current] = id === undefined ? [] : await records.facts.byIds(visibility, [id]);
    if (current === undefined || current.status === 'active') return current;
    // For a single-valued predicate, the current fact is found without following the chain.
    if (kindOf(current.predicate)?.values !== 'one') continue;
    const { subject, predicate } = current;
    const filter = { subject, predicates: [predicate], status: 'active' } as const;
    const [standing] = await records.facts.search(visibility, filter, { limit: 1 });
    if (standing !== undefined) return standing;
  }
  return undefined;
}

/** The sentence that states a fact, by fact id. */
type Quotes = ReadonlyMap<string, { conversationId: string; text: string; statedAt: string }>;

/** The sources that may be used: the remaining conversations and the requested times. */
interface Seen {
  conversations: ReadonlyMap<string, ConversationRow>;
  filter: ConversationFilter;
}

/** The newest visible statement of a fact. */
function newestSource(fact: Fact, { conversations, filter }: Seen): FactSource | undefined {
  const { saidFrom: _, saidTo: __, ...ofConversations } = filter;
  const takesEntered = Object.keys(ofConversations).length === 0;
  const sources = fact.sources.filter(
    ({ conversation_id, stated_at, ends, by_hand }) =>
      // A value entered by the user belongs to no conversation, so conversation filters do not match it.
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

/** The sentence of each source, verbatim. */
async function sentencesOf(service: Service, sources: readonly FactSource[]): Promise<(source: FactSource) => string> {
  const messages = await service.records.conversations.messagesAt(sources);
  return ({ conversation_id, message_index, start, end }) =>
    messages.get(messageId(conversation_id, message_index))?.text.slice(start, end) ?? '';
}

import type { Hit } from '../../answers/hit.js';
import type { Superseded } from '../../answers/support.js';
import { clauseOf } from '../../facts/clauses.js';
import { kindOf } from '../../facts/predicates.js';
import type { Visibility } from '../../model/access.js';
import type { Fact, FactSource } from '../../model/fact.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Service } from '../service.js';
import { newestSource, sentencesOf } from './fact-sources.js';

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

import type { SaveIntent } from '../model/conversation.js';
import {
  compareSources,
  type Fact,
  type FactChange,
  type FactSource,
  factId,
  largestGroup,
  subjectKeyOf,
} from '../model/fact.js';
import type { Steps } from '../model/steps.js';
import { detachedFrom, isDetached } from './by-hand.js';
import { described } from './describe.js';
import type { Statement } from './extract.js';
import { judgedWith, kindOf } from './predicates.js';
import { judge } from './timeline.js';

/** The conversation in which statements were made: what all their sources have in common. */
export interface Occasion {
  projectId: string;
  ownerId: string;
  conversationId: string;
  source: string;
  /** When a message was written, in UTC. */
  saidAt: (messageIndex: number) => string;
  saveIntent?: SaveIntent | undefined;
  saveIntentSource?: string | undefined;
  /** The chunk that contains an offset in a message. */
  chunkAt: (messageIndex: number, start: number) => number;
}

/** For each kind of source of one fact, the oldest and the newest up to this number are kept. */
const mostSources = 16;

export interface Group {
  id: string;
  subjectKey: string;
  predicates: string[];
}

/** The predicates whose facts must be judged together for a statement. */
export function groupOf(statement: Pick<Statement, 'subject' | 'predicate'>): Group {
  const subjectKey = subjectKeyOf(statement.subject);
  const predicates = judgedWith(statement.predicate);
  return { id: `${subjectKey}\n${predicates.join(' ')}`, subjectKey, predicates };
}

/** The group after new statements. Pure, and independent of the order in which statements arrive. */
export function* reconciling(
  known: readonly Fact[],
  statements: readonly Statement[],
  occasion: Occasion,
): Steps<Fact[]> {
  const drafts = new Map(known.map((fact) => [fact.id, fact]));
  for (const statement of statements) {
    const subjectKey = subjectKeyOf(statement.subject);
    const { projectId } = occasion;
    const id = factId({ projectId, subjectKey, predicate: statement.predicate, objectKey: statement.object_key });
    const before = drafts.get(id);
    const source = sourceOf(statement, occasion);
    // A sentence that the user detached stays detached when its conversation is read again.
    const isOut = before !== undefined && isDetached(before, source);
    const sources = isOut ? before.sources : withSource(before?.sources ?? [], source);
    drafts.set(id, before === undefined ? draftOf(id, statement, sources, occasion) : { ...before, sources });
    yield;
  }
  return judged([...drafts.values()]);
}

/** The group without one conversation's statements; facts left without a source are gone. */
export function withdraw(known: readonly Fact[], conversationId: string): { kept: Fact[]; gone: string[] } {
  const isOther = (source: FactSource): boolean => source.conversation_id !== conversationId;
  const left = known.map((fact) => withoutDetached({ ...fact, sources: fact.sources.filter(isOther) }, isOther));
  const isLeft = (fact: Fact): boolean => fact.sources.length > 0 || detachedFrom(fact).length > 0;
  return { kept: judged(left.filter(isLeft)), gone: left.filter((fact) => !isLeft(fact)).map(({ id }) => id) };
}

/** The fact whose detached sentences are only those that are kept: what is forgotten leaves no copy there. */
function withoutDetached(fact: Fact, isKept: (source: FactSource) => boolean): Fact {
  const { changes, ...rest } = fact;
  if (changes === undefined) return fact;
  const left = changes.flatMap((change): FactChange[] => {
    if (change.kind !== 'detached') return [change];
    const sources = change.sources.filter(isKept);
    return sources.length === 0 ? [] : [{ ...change, sources }];
  });
  return { ...rest, ...(left.length === 0 ? {} : { changes: left }) };
}

/** Recomputes everything about the facts of a group that derives from their sources. */
export function judged(facts: readonly Fact[]): Fact[] {
  const [first] = facts;
  if (first === undefined) return [];
  const verdicts = judge(facts, kindOf(first.predicate)?.values ?? 'many');
  return facts.map((fact) => described(fact, verdicts.get(fact.id) ?? { status: 'active' }));
}

function sourceOf(statement: Statement, occasion: Occasion): FactSource {
  const { message_index, start, end, role, object_raw, ends, correction, corrects, hedged, pasted, guessed } =
    statement;
  return {
    conversation_id: occasion.conversationId,
    message_index,
    chunk_index: occasion.chunkAt(message_index, start),
    start,
    end,
    source: occasion.source,
    stated_at: occasion.saidAt(message_index),
    role,
    object_raw,
    ...(ends ? { ends } : {}),
    ...(correction ? { correction } : {}),
    ...(corrects === undefined ? {} : { corrects }),
    ...(hedged ? { hedged } : {}),
    ...(pasted ? { pasted } : {}),
    ...(guessed ? { guessed } : {}),
    ...(occasion.saveIntent === undefined ? {} : { save_intent: occasion.saveIntent }),
    ...(occasion.saveIntentSource === undefined ? {} : { save_intent_source: occasion.saveIntentSource }),
  };
}

/**
 * Adds a source once. Of many of a kind, the oldest and the newest are kept, so that the order of arrival does not
 * matter.
 */
function withSource(sources: readonly FactSource[], added: FactSource): FactSource[] {
  // A sentence that is read again replaces its earlier source: its chunk number may have changed and its time be known
  // now.
  const others = sources.filter((source) => !isSameStatement(source, added));
  const all = [...others, added].sort(compareSources);
  const sort = (source: FactSource): string =>
    `${source.role} ${source.ends ?? false} ${source.pasted ?? false} ${source.guessed ?? false} ${source.by_hand ?? false}`;
  const kept = [...new Set(all.map(sort))].flatMap((kind) => {
    const alike = all.filter((source) => sort(source) === kind);
    return alike.length <= mostSources ? alike : [...alike.slice(0, 1), ...alike.slice(1 - mostSources)];
  });
  return kept.sort(compareSources);
}

function isSameStatement(one: FactSource, other: FactSource): boolean {
  return compareSources({ ...one, stated_at: other.stated_at }, other) === 0;
}

function draftOf(id: string, statement: Statement, sources: FactSource[], occasion: Occasion): Fact {
  const first = occasion.saidAt(statement.message_index);
  return {
    id,
    project_id: occasion.projectId,
    owner_id: occasion.ownerId,
    subject: statement.subject,
    subject_key: subjectKeyOf(statement.subject),
    predicate: statement.predicate,
    object_raw: statement.object_raw,
    object_normalized: statement.object_raw,
    object_key: statement.object_key,
    qualifiers: {},
    source_quality: 'direct_user_statement',
    confidence: 'low',
    confidence_reason: '',
    status: 'active',
    stated_at: first,
    created_at: first,
    updated_at: first,
    last_confirmed_at: first,
    sources,
    source_names: [],
    conversation_ids: [],
  };
}

/** A topic of a single conversation says nothing about the user. */
const leastTopics = 2;

/**
 * The facts as known at a given time, from statements and changes up to then. Pass whole groups, because each verdict
 * depends on the statements about the other facts.
 */
export function factsAsOf(facts: readonly Fact[], until: string): Fact[] {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts.flatMap((each) => heardBy(each, until))) {
    const { id } = groupOf(fact);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [fact]);
    else group.push(fact);
  }
  return [...groups.values()].flatMap((group) => judged(newestOf(group)));
}

/** As many as are judged on insert: the cost of judging grows faster than their number. */
function newestOf(group: readonly Fact[]): readonly Fact[] {
  if (group.length <= largestGroup) return group;
  const last = ({ sources }: Fact): string =>
    sources
      .map(({ stated_at }) => stated_at)
      .sort()
      .at(-1) ?? '';
  const dated = group.map((fact) => ({ fact, at: last(fact) }));
  const newest = dated.sort((one, other) => (one.at > other.at ? -1 : 1)).slice(0, largestGroup);
  return newest.map(({ fact }) => fact);
}

function heardBy(fact: Fact, until: string): Fact[] {
  const { superseded_by_hand: hand, changes: made = [], ...rest } = fact;
  const detachedLater = detachedFrom({ changes: made.filter(({ at }) => at > until) });
  const sources = [...fact.sources, ...detachedLater]
    .filter(({ stated_at }) => stated_at <= until)
    .sort(compareSources);
  const least = fact.predicate === 'recurring_topic' ? leastTopics : 1;
  if (sources.length < least) return [];
  const changes = made.filter(({ at }) => at <= until);
  return [
    {
      ...rest,
      sources,
      ...(hand !== undefined && hand.superseded_at <= until ? { superseded_by_hand: hand } : {}),
      ...(changes.length === 0 ? {} : { changes }),
    },
  ];
}

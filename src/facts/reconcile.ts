import type { SaveIntent } from '../model/conversation.js';
import {
  compareSources,
  type Fact,
  type FactChange,
  type FactConfidence,
  type FactSource,
  factId,
  isPlainlySaid,
  largestGroup,
  type SourceQuality,
  subjectKeyOf,
} from '../model/fact.js';
import type { JsonObject } from '../model/json.js';
import type { Steps } from '../model/steps.js';
import { detachedFrom, isDetached, pinnedSince } from './by-hand.js';
import type { Statement } from './extract.js';
import { judgedWith, kindOf } from './predicates.js';
import { judge, type Verdict } from './timeline.js';
import { readValue } from './values.js';

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

/** The fact with only those detached sentences whose conversations remain, so that forgetting leaves no copy there. */
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
  const verdicts = verdictsOn(facts);
  return facts.map((fact) => described(fact, verdicts.get(fact.id) ?? { status: 'active' }));
}

/**
 * The facts of a group that a change affects, directly or indirectly, recomputed. Other facts may have been judged by
 * older rules and stay as they are. In a large group few are affected, and describing a fact takes far longer than
 * judging it.
 */
export function judgedAnew(known: readonly Fact[], after: readonly Fact[], changed: ReadonlySet<string>): Fact[] {
  const [before, now] = [verdictsOn(known), verdictsOn(after)];
  // A fact that nothing states any more is not judged.
  const isAffected = ({ id, sources }: Fact): boolean =>
    changed.has(id) || (sources.length > 0 && !isAlike(before.get(id), now.get(id)));
  return after.filter(isAffected).map((fact) => described(fact, now.get(fact.id) ?? { status: 'active' }));
}

function isAlike(one: Verdict | undefined, other: Verdict | undefined): boolean {
  return one?.status === other?.status && (one?.status !== 'superseded' || one.by === other?.by);
}

function verdictsOn(facts: readonly Fact[]): Map<string, Verdict> {
  const [first] = facts;
  return first === undefined ? new Map() : judge(facts, kindOf(first.predicate)?.values ?? 'many');
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

/** The fact with all fields derived from its sources and its verdict. */
export function described(fact: Fact, verdict: Verdict): Fact {
  const statements = fact.sources.filter(({ ends }) => !ends);
  const byUser = statements.filter(isPlainlySaid);
  const endings = fact.sources.filter(({ ends, corrects }) => ends || corrects !== undefined);
  const voices = byUser.length > 0 ? byUser : statements.length > 0 ? statements : fact.sources;
  const newest = voices.at(-1) ?? fact.sources.at(-1);
  const detached = detachedFrom(fact).map(({ conversation_id }) => conversation_id);
  if (newest === undefined) return detached.length === 0 ? fact : unstated(fact, detached);
  const carrier = mostTrusted(voices) ?? newest;
  const all = statements.length > 0 ? statements : fact.sources;
  const value = readValue(fact.predicate, newest.object_raw);
  const quality = qualityOf(newest);
  const stated_at = all.at(-1)?.stated_at ?? newest.stated_at;
  const {
    superseded_at: _,
    superseded_by: __,
    ended_at: ___,
    save_intent: ____,
    save_intent_source: _____,
    pinned_at: ______,
    ...kept
  } = fact;
  const lastEnd = endings.at(-1)?.stated_at;
  const superseded = verdict.status === 'superseded';
  const pinned_at = superseded ? undefined : pinnedSince(fact);
  const heard = fact.sources.filter(({ by_hand }) => !by_hand);
  return {
    ...kept,
    object_raw: newest.object_raw,
    object_normalized: value.normalized,
    qualifiers: qualifiersOf(fact.predicate, newest, value.normalization),
    source_quality: quality,
    ...confidenceOf(carrier, quality, { times: voices.length, isContested: verdict.isContested === true }),
    status: verdict.status,
    stated_at,
    created_at: fact.sources[0]?.stated_at ?? stated_at,
    updated_at: [stated_at, lastEnd ?? '', verdict.at ?? ''].sort().at(-1) ?? stated_at,
    last_confirmed_at: newest.stated_at,
    ...(superseded && verdict.at !== undefined ? { superseded_at: verdict.at } : {}),
    ...(superseded && verdict.by !== undefined ? { superseded_by: verdict.by } : {}),
    ...(lastEnd === undefined ? {} : { ended_at: lastEnd }),
    ...(pinned_at === undefined ? {} : { pinned_at }),
    ...(carrier.save_intent === undefined ? {} : { save_intent: carrier.save_intent }),
    ...(carrier.save_intent_source === undefined ? {} : { save_intent_source: carrier.save_intent_source }),
    source_names: [...new Set(heard.map(({ source }) => source))].sort(),
    // Also those it was detached from, so that forgetting one of them finds the fact.
    conversation_ids: [...new Set([...heard.map(({ conversation_id }) => conversation_id), ...detached])].sort(),
  };
}

/** A fact that nothing states any more, because every sentence was detached from it. */
function unstated(fact: Fact, conversationIds: readonly string[]): Fact {
  const { superseded_by: _, pinned_at: __, ...kept } = fact;
  const at = fact.changes?.findLast(({ kind }) => kind === 'detached')?.at ?? fact.updated_at;
  return {
    ...kept,
    status: 'superseded',
    superseded_at: at,
    updated_at: at,
    source_names: [],
    conversation_ids: [...new Set(conversationIds)].sort(),
  };
}

function qualityOf(source: FactSource): SourceQuality {
  if (source.inferred) return 'inferred_from_conversation';
  if (source.role === 'assistant') return 'assistant_statement';
  return source.correction ? 'corrected_by_user' : 'direct_user_statement';
}

const levels: readonly FactConfidence[] = ['low', 'medium', 'high'];

/** A plain statement of the user is high; hedging, an automatic save and the assistant each lower it by one step. */
function levelOf(source: FactSource): number {
  if (source.pasted || source.guessed) return 0;
  const steps = [
    source.role === 'assistant' || source.inferred === true,
    source.hedged === true,
    source.save_intent === 'client_auto_save',
  ];
  return Math.max(0, 2 - steps.filter(Boolean).length);
}

function mostTrusted(sources: readonly FactSource[]): FactSource | undefined {
  const best = sources.reduce((most, source) => Math.max(most, levelOf(source)), 0);
  return sources.findLast((source) => levelOf(source) === best);
}

const reasons: Record<SourceQuality, string> = {
  direct_user_statement: 'The user said so',
  corrected_by_user: 'The user said so as a correction',
  assistant_statement: 'The assistant said so; the user did not',
  inferred_from_conversation: 'Inferred from what the conversations are about',
};

const entered = { added: 'The user entered it', corrected: 'The user corrected it' };

function confidenceOf(
  carrier: FactSource,
  quality: SourceQuality,
  { times, isContested }: { times: number; isContested: boolean },
): Pick<Fact, 'confidence' | 'confidence_reason'> {
  const reason = carrier.by_hand ? entered[quality === 'corrected_by_user' ? 'corrected' : 'added'] : reasons[quality];
  const said = times > 1 && !carrier.by_hand ? `${reason}, ${times} times` : reason;
  const doubts = [
    ...(carrier.pasted ? ['in text that may be pasted or quoted'] : []),
    ...(carrier.guessed ? ['as the tagging model reads it'] : []),
    ...(carrier.hedged ? ['with a doubt'] : []),
    ...(carrier.save_intent === 'client_auto_save' ? ['saved automatically by the client'] : []),
    ...(isContested ? ['something said later may have replaced it'] : []),
  ];
  const confidence = isContested ? 'low' : (levels[levelOf(carrier)] ?? 'low');
  return { confidence, confidence_reason: `${[said, ...doubts].join('; ')}.` };
}

function qualifiersOf(predicate: string, source: FactSource, normalization: JsonObject | undefined): JsonObject {
  const item = /^(?:owns|pet|favorite|date|relation)_(.+)$/.exec(predicate)?.[1];
  return {
    ...(item === undefined || item === 'item' ? {} : { item: item.replaceAll('_', ' ') }),
    ...(source.corrects === undefined ? {} : { corrects: source.corrects }),
    ...(normalization === undefined ? {} : { normalization }),
    source_role: source.role,
  };
}

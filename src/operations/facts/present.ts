import { z } from 'zod';
import type { Visibility } from '../../model/access.js';
import { saveIntents } from '../../model/conversation.js';
import {
  type Fact,
  type FactChange,
  factChangeKinds,
  factConfidences,
  factStatuses,
  sourceQualities,
} from '../../model/fact.js';
import type { Service } from '../service.js';

const source = z.object({
  conversation_id: z.string(),
  message_index: z.number().int(),
  chunk_index: z.number().int(),
  start: z.number().int().describe('The offset of the sentence in the message'),
  end: z.number().int(),
  source: z.string(),
  stated_at: z.string().describe('When the message was sent, in UTC'),
  role: z.enum(['user', 'assistant']),
  ends: z.literal(true).optional().describe('The sentence says that the fact has ended'),
});

const change = z.object({
  kind: z.enum(factChangeKinds),
  at: z.string(),
  corrects: z.string().optional().describe('Of `added`: the fact whose value was wrong'),
  by: z.string().optional().describe('Of `corrected`: the fact with the correct value'),
  until: z.string().optional().describe('Of `retracted`: until when it was true; absent if it never was'),
  sources: z.array(source).optional().describe('Of `detached`: the sentences that do not state it'),
});

export const factOutput = z.object({
  id: z.string().describe('The id, for example to change or supersede it'),
  project_id: z.string(),
  subject: z.string(),
  predicate: z.string(),
  object_raw: z.string().describe('The value in the words of the newest statement'),
  object_normalized: z.string().describe('The value for display'),
  qualifiers: z.record(z.string(), z.unknown()),
  source_quality: z.enum(sourceQualities),
  confidence: z.enum(factConfidences),
  confidence_reason: z.string(),
  status: z.enum(factStatuses),
  stated_at: z.string().describe('The time of the newest message that states it'),
  created_at: z.string().describe('The time of the oldest message that states it'),
  updated_at: z.string(),
  last_confirmed_at: z.string(),
  superseded_at: z.string().nullable().describe('When it stopped being true; null while it is active'),
  superseded_by: z.string().optional().describe('The fact that replaced it; absent if it ended without a successor'),
  superseded_by_hand: z.literal(true).optional().describe('It was superseded by hand, and can be restored'),
  pinned_at: z.string().optional().describe('When it was pinned; absent if it is not pinned'),
  changes: z.array(change).optional().describe('Changes made by hand, oldest first; undo reverts the last one'),
  save_intent: z.enum(saveIntents).optional(),
  save_intent_source: z.string().optional(),
  sources: z.array(source).describe('The sentences that state it'),
});

export type FactOutput = z.infer<typeof factOutput>;

/** The public form of a fact, without owners and comparison keys. */
export function presentFact(fact: Fact): FactOutput {
  const { owner_id, subject_key, object_key, ended_at, superseded_by_hand, source_names, conversation_ids, ...shown } =
    fact;
  const decided = superseded_by_hand !== undefined && fact.superseded_at === superseded_by_hand.superseded_at;
  return {
    ...shown,
    superseded_at: fact.superseded_at ?? null,
    ...(decided ? { superseded_by_hand: true as const } : {}),
    ...(fact.changes === undefined ? {} : { changes: fact.changes.map(presentChange) }),
    // An entered value has no source sentence.
    sources: fact.sources.filter(({ by_hand }) => !by_hand).map(presentSource),
  };
}

function presentChange(made: FactChange): z.infer<typeof change> {
  const { kind, at } = made;
  if (made.kind === 'corrected') return { kind, at, by: made.by };
  if (made.kind === 'detached') return { kind, at, sources: made.sources.map(presentSource) };
  if (made.kind === 'retracted') return { kind, at, ...(made.until === undefined ? {} : { until: made.until }) };
  return { kind, at, ...(made.kind === 'added' && made.corrects !== undefined ? { corrects: made.corrects } : {}) };
}

function presentSource(from: Fact['sources'][number]): z.infer<typeof source> {
  const { conversation_id, message_index, chunk_index, start, end, stated_at, role, ends } = from;
  const place = { conversation_id, message_index, chunk_index, start, end };
  return { ...place, source: from.source, stated_at, role, ...(ends ? { ends } : {}) };
}

/** A current fact in brief: enough for an answer, and where to read more. */
export const statedFact = z.object({
  fact_id: z.string(),
  subject: z.string(),
  predicate: z.string(),
  value: z.string().describe('The value for display'),
  valid_from: z.string().describe('When it was first stated, in UTC'),
  confirmed_at: z.string().describe('When it was last stated, in UTC'),
  confidence: z.enum(factConfidences),
  conversation_id: z.string().describe('The conversation of the newest message shown that states it'),
  message_index: z.number().int(),
});

export type StatedFact = z.infer<typeof statedFact>;

/** A message of a conversation. */
export interface MessageRef {
  conversationId: string;
  messageIndex: number;
}

/** As many as a reader can take in beside the messages. */
const mostFacts = 10;

/** Facts are looked up for this many conversations; results further down are rarely read. */
const mostConversations = 20;

/** The current facts that these messages state, newest first. They are shown beside the messages, never instead. */
export async function statedFacts(
  { records }: Pick<Service, 'records'>,
  visibility: Visibility,
  places: readonly MessageRef[],
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
    ...factSummary(fact),
    confidence: fact.confidence,
    conversation_id: newest.conversation_id,
    message_index: newest.message_index,
  };
}

/** A stated fact without its confidence and its source. */
export function factSummary(
  fact: Pick<Fact, 'id' | 'subject' | 'predicate' | 'object_normalized' | 'created_at' | 'last_confirmed_at'>,
): Omit<StatedFact, 'confidence' | 'conversation_id' | 'message_index'> {
  return {
    fact_id: fact.id,
    subject: fact.subject,
    predicate: fact.predicate,
    value: fact.object_normalized,
    valid_from: fact.created_at,
    confirmed_at: fact.last_confirmed_at,
  };
}

function keyOf(conversationId: string, messageIndex: number): string {
  return `${conversationId}\n${messageIndex}`;
}

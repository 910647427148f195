import { runYielding } from '../../concurrency/yielding.js';
import { headingOf as heading } from '../../language/terms.js';
import { isSmall } from '../../model/json.js';
import type { Steps } from '../../model/steps.js';
import type { ConversationRow, MessageRow } from '../../records/store.js';
import { similarityOf, unrelatedDistance } from '../../retrieval/candidate.js';
import { bestDistance, groupBy, type RankedGroup, rankedAlone, rankGroups } from '../../retrieval/group.js';
import { findingExcerpt, findingSnippet, highlighting, highlightsOf, type Span } from '../../retrieval/highlight.js';
import { type Asked, type Match, matchingIn } from '../../retrieval/match.js';
import type { RankedHit } from '../../retrieval/rank.js';
import { threadOfOne } from '../fields.js';
import { presentConversation } from '../present.js';
import type { Service } from '../service.js';
import { readWhole } from './hydrate.js';
import type { ChunkItem, CompactItem, ConversationItem, SearchInput, SearchOutput, ThreadItem } from './shapes.js';

/** One result: a chunk, a conversation or a thread, with everything that was retrieved around it. */
export interface Entry {
  group: RankedGroup;
  byConversation: ReadonlyMap<string, RankedGroup>;
  conversations: ReadonlyMap<string, ConversationRow>;
}

type PresentInput = Pick<SearchInput, 'result_mode' | 'include_messages' | 'explain'>;

/** Of one conversation. */
export const chunksShown = 3;

export async function presentEntries(
  service: Service,
  entries: readonly Entry[],
  input: PresentInput,
  { terms, asked }: { terms: readonly string[]; asked: Asked },
): Promise<SearchOutput['results']> {
  const unrelated = unrelatedDistance[service.settings.distance];
  const matchOf = matchesOf(service, asked);
  const whole = input.include_messages && (input.result_mode === 'chunks' || input.result_mode === 'conversations');
  const ids = entries.map(({ group }) => group.best.conversationId);
  const rows = new Map(entries.map((entry) => [entry.group.best.conversationId, rowOf(entry, entry.group.best)]));
  const messages = whole ? await wholeMessages(service, ids, { rows }) : undefined;
  const views = entries.map((entry, position) => {
    const shown = messages && { messages: messages[position] };
    return { entry, unrelated, shown, terms, matchOf, explain: input.explain };
  });
  return runYielding(presenting(views, input.result_mode));
}

function* presenting(views: readonly View[], mode: PresentInput['result_mode']): Steps<SearchOutput['results']> {
  const items: SearchOutput['results'] = [];
  for (const view of views) {
    items.push(yield* itemOf(view, mode));
    yield;
  }
  return items;
}

function* itemOf(view: View, mode: PresentInput['result_mode']): Steps<SearchOutput['results'][number]> {
  switch (mode) {
    case 'chunks':
      return yield* chunkItem(view);
    case 'compact':
      return yield* compactItem(view);
    case 'conversations':
      return yield* conversationItem(view);
    case 'threads':
      return yield* threadItem(view);
    default:
      return mode satisfies never;
  }
}

type MatchOf = (best: RankedHit, entry: Entry) => Steps<Match>;

/** Whether a chunk of an entry is a strong match, by its text and its manual title and tags. */
export function matchesOf(service: Service, asked: Asked): MatchOf {
  const { trust } = service.embedder;
  const matchOf = matchingIn({ ...asked, trust, similarity: similarityOf[service.settings.distance] });
  return (best, entry) => {
    const { title, metadata, aliases } = rowOf(entry, best);
    const { summary: _, ...given } = metadata;
    return matchOf(
      best,
      heading({ ...(title === undefined ? {} : { title }), metadata: given, ...(aliases && { aliases }) }),
    );
  };
}

interface View {
  entry: Entry;
  unrelated: number;
  /** Absent when messages were not requested. */
  shown: { messages: readonly MessageRow[] | undefined } | undefined;
  terms: readonly string[];
  matchOf: MatchOf;
  explain: boolean;
}

function* chunkItem(view: View): Steps<ChunkItem> {
  const { entry, unrelated, shown } = view;
  const { best } = entry.group;
  const row = rowOf(entry, best);
  const conversation = presentConversation(ownCopy(row), shown?.messages);
  return {
    ...(yield* placeOf(entry.group, view)),
    ...(yield* textOf(best, row, view)),
    conversation: shown && !shown.messages ? { ...conversation, messages_omitted: true } : conversation,
    ...countsOf(entry, best, unrelated),
  };
}

/** Small rows are cached for later searches, and a caller in this process may modify the result, so it gets a copy. */
function ownCopy(given: ConversationRow): ConversationRow {
  if (!isSmall(given)) return given;
  const { aliases, metadata, ...row } = given;
  return { ...row, metadata: structuredClone(metadata), ...(aliases && { aliases: structuredClone(aliases) }) };
}

function* compactItem(view: View): Steps<CompactItem> {
  const { entry, unrelated, terms } = view;
  const { best } = entry.group;
  const snippet = yield* findingSnippet(best.text, terms);
  return {
    ...(yield* placeOf(entry.group, view)),
    ...headingOf(best, rowOf(entry, best)),
    ...positionOf(best),
    snippet,
    highlights: highlightsOf(snippet, terms),
    ...countsOf(entry, best, unrelated),
  };
}

function* conversationItem(view: View): Steps<ConversationItem> {
  const chunks: ConversationItem['chunks'] = [];
  for (const chunk of view.entry.group.chunks.slice(0, chunksShown)) {
    chunks.push({
      ...(yield* textOf(chunk, rowOf(view.entry, chunk), view)),
      score: chunk.distance ?? view.unrelated,
      relevance: chunk.relevance,
    });
  }
  return { ...(yield* chunkItem(view)), chunks };
}

function* threadItem(view: View): Steps<ThreadItem> {
  const { entry, unrelated } = view;
  const { group, byConversation } = entry;
  const ids = new Set(group.chunks.map(({ conversationId }) => conversationId));
  const members = [...ids]
    .flatMap((id) => byConversation.get(id) ?? [])
    .sort((one, other) => other.relevance - one.relevance);
  // A thread shows its best conversation.
  const best = members[0]?.best ?? group.best;
  const conversations: ThreadItem['conversations'] = [];
  for (const member of members) {
    conversations.push({
      ...(yield* placeOf(member, view)),
      ...headingOf(member.best, rowOf(entry, member.best)),
      ...(yield* textOf(member.best, rowOf(entry, member.best), view)),
      ...countsOf(entry, member.best, unrelated),
    });
  }
  return {
    ...(yield* placeOf({ ...group, best }, view)),
    thread_id: group.key,
    ...(yield* textOf(best, rowOf(entry, best), view)),
    conversation_count: members.length,
    match_count: group.chunks.length,
    conversations,
  };
}

function* placeOf({ best, relevance, shares }: RankedGroup, { entry, unrelated, matchOf, explain }: View) {
  const { conversationId: id, distance: score = unrelated } = best;
  return { id, score, relevance, match: yield* matchOf(best, entry), ...(explain ? { explanation: shares } : {}) };
}

interface ShownText extends ReturnType<typeof positionOf>, Pick<ChunkItem, 'role' | 'text' | 'timestamp'> {
  highlights: Span[];
  excerpt: Span;
}

function* textOf(chunk: RankedHit, row: ConversationRow, { terms }: View): Steps<ShownText> {
  const { role, text, timestamp = row.timestamp } = chunk;
  const marked = { highlights: yield* highlighting(text, terms), excerpt: yield* findingExcerpt(text, terms) };
  return { ...positionOf(chunk), role, text, timestamp, ...marked };
}

function positionOf({ chunkIndex, messageIndex }: RankedHit) {
  return { chunk_index: chunkIndex, message_index: messageIndex };
}

function headingOf({ timestamp }: RankedHit, row: ConversationRow) {
  const titled = row.title === undefined ? {} : { title: row.title };
  return { ...titled, source: row.source, timestamp: timestamp ?? row.timestamp };
}

function countsOf(entry: Entry, chunk: RankedHit, unrelated: number) {
  const chunks = entry.byConversation.get(chunk.conversationId)?.chunks ?? [chunk];
  return { conversation_score: bestDistance(chunks, unrelated), conversation_match_count: chunks.length };
}

function rowOf(entry: Entry, chunk: RankedHit): ConversationRow {
  const row = entry.conversations.get(chunk.conversationId);
  if (row === undefined) throw new Error('a ranked chunk lost its conversation');
  return row;
}

/**
 * Limit on the characters of messages in one response. A message counts each time it is shown: a hundred hits in one
 * book would otherwise return a hundred books.
 */
const mostShownCharacters = 16_000_000;

const conversationsAtOnce = 10;

type Rows = ReadonlyMap<string, ConversationRow>;

/** The messages to show with each hit, in the order of the hits; undefined once there is no room left. */
export async function wholeMessages(
  service: Service,
  conversationIds: readonly string[],
  { most = mostShownCharacters, rows = new Map() }: { most?: number; rows?: Rows } = {},
): Promise<(readonly MessageRow[] | undefined)[]> {
  const known = new Map<string, Whole>();
  const shown: (readonly MessageRow[] | undefined)[] = [];
  let room = most;
  for (const [position, id] of conversationIds.entries()) {
    if (room > 0 && !known.has(id)) await readMessages(service, conversationIds.slice(position), { known, rows });
    const { messages = undefined, characters = 0 } = known.get(id) ?? {};
    // The best hit is always whole, however long it is.
    const fits = messages !== undefined && (characters <= room || position === 0);
    room -= characters;
    shown.push(fits ? messages : undefined);
  }
  return shown;
}

interface Whole {
  messages: readonly MessageRow[];
  characters: number;
}

async function readMessages(
  service: Service,
  wanted: readonly string[],
  { known, rows }: { known: Map<string, Whole>; rows: Rows },
): Promise<void> {
  const ids = [...new Set(wanted)].filter((id) => !known.has(id)).slice(0, conversationsAtOnce);
  const found = await readWhole(service, ids, rows);
  for (const id of ids) {
    const messages = found.get(id) ?? [];
    known.set(id, { messages, characters: messages.reduce((sum, { text }) => sum + text.length, 0) });
  }
}

interface Grouping {
  mode: SearchInput['result_mode'];
  conversations: ReadonlyMap<string, ConversationRow>;
  /** The ranked chunks that are shown; the others only count towards their conversations. */
  shown?: readonly RankedHit[];
}

/** Groups ranked chunks into the results of this mode, in the order of their evidence. */
export function entriesOf(ranked: readonly RankedHit[], { mode, conversations, shown = ranked }: Grouping): Entry[] {
  const ofConversations = rankGroups(groupBy(ranked, (chunk) => chunk.conversationId));
  const byConversation = new Map(ofConversations.map((group) => [group.key, group]));
  // A chunk is ranked once, so each is its own group.
  const alone = (best: RankedHit): RankedGroup => rankedAlone({ key: best.chunkId, best, chunks: [best] });
  const keyOf = (chunk: RankedHit): string => {
    if (mode !== 'threads') return chunk.conversationId;
    return conversations.get(chunk.conversationId)?.thread_id ?? threadOfOne(chunk.conversationId);
  };
  const inOrder = mode === 'chunks' ? shown.map(alone) : rankGroups(groupBy(shown, keyOf));
  return inOrder.map((group) => ({ group, byConversation, conversations }));
}

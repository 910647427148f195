import { createTimeSlice, runYielding, type TimeSlice } from '../../concurrency/yielding.js';
import { chunkId } from '../../ingestion/hash.js';
import type { Phrase } from '../../language/phrase.js';
import { headingOf, termCounter } from '../../language/terms.js';
import type { Visibility } from '../../model/access.js';
import { timeOf } from '../../model/conversation.js';
import { isSmall } from '../../model/json.js';
import { finished, type Steps } from '../../model/steps.js';
import { wasSaidWithin } from '../../records/aliases.js';
import type { ConversationFilter, ConversationVersion, SaidMessage } from '../../records/conversations.js';
import { type ChunkRow, type ConversationRow, type MessageRow, messageId } from '../../records/store.js';
import { type Candidate, type Exactness, judgingExactness, similarityOf } from '../../retrieval/candidate.js';
import { type RankedHit, ranking } from '../../retrieval/rank.js';
import { keywordScore } from '../../retrieval/surroundings.js';
import { shortTurn } from '../../retrieval/turns.js';
import type { Service } from '../service.js';
import type { Gathered, Plan } from './gather.js';

export interface Hydrated {
  candidates: Candidate[];
  conversations: Map<string, ConversationRow>;
  /** The candidates that this depth adds. */
  fresh: Set<string>;
}

/**
 * Reads the chunks with their text and conversation, without those that the caller may not see or that do not pass the
 * filters.
 */
export async function hydrate(
  service: Service,
  plan: Plan,
  gathered: Gathered,
  filter: ConversationFilter,
): Promise<Hydrated> {
  const read = new Set(gathered.rows.map(({ id }) => id));
  const others = [...gathered.distances.keys()].filter((id) => !read.has(id));
  const found = [...gathered.rows, ...(await service.records.chunks.byIds(plan.visibility, others))];
  const { rows, kept, beside, messages } = await readAround(service, plan, { gathered, found, filter });
  const conversations = new Map(rows.map((row) => [row.id, row]));
  const chunks = [...kept, ...beside.chunks];
  const likenesses = await likenessesOf(service, plan, chunks);
  const count = termCounter(plan.terms);
  const share = (text: string): number => count(text) / Math.max(1, plan.terms.length);
  const metadataMatches = new Map(rows.map((row) => [row.id, share(headingOf(row))]));
  const candidates: Candidate[] = [];
  // A text may have a megabyte, so this yields between two texts and between the two checks of each.
  const slice = createTimeSlice();
  for (const chunk of chunks) {
    const message = messages.get(messageId(chunk.conversation_id, chunk.message_index));
    const row = conversations.get(chunk.conversation_id);
    if (message === undefined || row === undefined) continue;
    const { at } = timeOf(message, row);
    if (!wasSaidWithin(message, row, filter)) continue;
    const distance = gathered.distances.get(chunk.id) ?? beside.distances.get(chunk.id);
    const deep = likenesses.get(chunk.id);
    const bm25 = gathered.scores.get(chunk.id);
    const text = message.text.slice(chunk.start, chunk.end);
    if (slice.isOver()) await slice.yield();
    if (plan.passes !== undefined && !(await runLong(text, plan.passes({ text, role: chunk.role }, row), slice)))
      continue;
    if (slice.isOver()) await slice.yield();
    const mayHoldPhrase = gathered.phrased === undefined || gathered.phrased.has(chunk.id);
    const exactness = plan.phrase === undefined || !mayHoldPhrase ? 0 : await exactnessIn(text, plan.phrase, slice);
    // Hundreds of these are created for a page of ten; assigning fields costs a third of spreading objects.
    const candidate: Candidate = {
      chunkId: chunk.id,
      conversationId: chunk.conversation_id,
      chunkIndex: chunk.chunk_index,
      messageIndex: chunk.message_index,
      role: chunk.role,
      text,
      at,
      metadataMatch: metadataMatches.get(row.id) ?? 0,
    };
    if (chunk.speaker !== undefined) candidate.speaker = chunk.speaker;
    if (message.timestamp !== undefined) candidate.timestamp = message.timestamp;
    if (distance !== undefined) candidate.distance = distance;
    if (deep !== undefined) candidate.deep = deep;
    if (bm25 !== undefined) candidate.bm25 = bm25;
    if (exactness !== 0) candidate.exactness = exactness;
    candidates.push(candidate);
  }
  return { candidates, conversations, fresh: beside.fresh };
}

function exactnessIn(text: string, phrase: Phrase, slice: TimeSlice): Exactness | Promise<Exactness> {
  return runLong(text, judgingExactness(text, phrase), slice);
}

/** Only long texts are read in steps; for hundreds of short ones the overhead would not pay off. */
function runLong<Result>(text: string, steps: Steps<Result>, slice: TimeSlice): Result | Promise<Result> {
  return text.length <= shortText ? finished(steps) : runYielding(steps, { slice });
}

const shortText = 20_000;

async function likenessesOf({ deep }: Service, plan: Plan, chunks: readonly ChunkRow[]): Promise<Map<string, number>> {
  return deep === undefined || plan.deep === undefined ? new Map() : deep.likenessOf(plan.deep, chunks);
}

interface ReadAround extends Texts {
  /** The found chunks that pass the filter, and their neighbours. */
  kept: readonly ChunkRow[];
  beside: Neighbours;
}

/** The conversations of the found chunks, their neighbours, and the messages of both. */
async function readAround(
  service: Service,
  plan: Plan,
  { gathered, found, filter }: { gathered: Gathered; found: readonly ChunkRow[]; filter: ConversationFilter },
): Promise<ReadAround> {
  const { conversations } = service.records;
  const { visibility } = plan;
  const ids = [...new Set(found.map((chunk) => chunk.conversation_id))];
  if (Object.keys(filter).length === 0) {
    const [versions, beside] = await Promise.all([
      conversations.versions(visibility, ids),
      neighboursOf(service, plan, gathered, found),
    ]);
    const texts = await readTexts(service, visibility, { versions, chunks: [...found, ...beside.chunks] });
    const seen = new Set(texts.rows.map(({ id }) => id));
    return { ...texts, kept: found.filter(({ conversation_id }) => seen.has(conversation_id)), beside };
  }
  // Few of the found chunks pass a broad filter, so neighbours and texts are read only for those.
  const rows = await conversations.byIds(visibility, ids, filter);
  const seen = new Set(rows.map(({ id }) => id));
  const kept = found.filter(({ conversation_id }) => seen.has(conversation_id));
  const beside = await neighboursOf(service, plan, gathered, kept);
  return { rows, kept, beside, messages: await conversations.messagesAt([...kept, ...beside.chunks]) };
}

interface Texts {
  rows: readonly ConversationRow[];
  /** By their ids. */
  messages: ReadonlyMap<string, SaidMessage>;
}

interface Remembered {
  version: string;
  row: ConversationRow;
  messages: Map<string, SaidMessage>;
  /** All of its messages, once they have been shown. */
  whole?: readonly MessageRow[];
  size: number;
}

/** In characters: enough for everything that searches over a few thousand messages read. */
const mostRemembered = 8_000_000;
/** Metadata may have tens of thousands of values. Such rows are not cached, because copying one takes too long. */
const tooLarge = Number.POSITIVE_INFINITY;

interface Memory {
  conversations: Map<string, Remembered>;
  size: number;
}

/**
 * Most searches of a person read the same conversations, and reading those from the store takes longer than ranking.
 */
const remembered = new WeakMap<Service, Memory>();

/** Rows and messages as they are in the store; unchanged ones come from the cache. */
async function readTexts(
  service: Service,
  visibility: Visibility,
  { versions, chunks }: { versions: readonly ConversationVersion[]; chunks: readonly ChunkRow[] },
): Promise<Texts> {
  const { conversations } = service.records;
  const memory: Memory = remembered.get(service) ?? { conversations: new Map(), size: 0 };
  remembered.set(service, memory);
  const now = new Map(versions.map((version) => [version.id, versionText(version)]));
  const held = new Map<string, Remembered>();
  for (const [id, version] of now) {
    const known = memory.conversations.get(id);
    if (known?.version === version) held.set(id, known);
  }
  const messages = new Map<string, SaidMessage>();
  const missing: ChunkRow[] = [];
  for (const chunk of chunks) {
    const id = messageId(chunk.conversation_id, chunk.message_index);
    const known = held.get(chunk.conversation_id)?.messages.get(id);
    if (known !== undefined) messages.set(id, known);
    else if (now.has(chunk.conversation_id)) missing.push(chunk);
  }
  const [unknown, said] = await Promise.all([
    conversations.byIds(
      visibility,
      [...now.keys()].filter((id) => !held.has(id)),
    ),
    conversations.messagesAt(missing),
  ]);
  for (const row of unknown) {
    const version = versionText(row);
    held.set(row.id, { version, row, messages: new Map(), size: isSmall(row) ? JSON.stringify(row).length : tooLarge });
  }
  const grown = new Map<string, number>();
  for (const [id, message] of said) {
    messages.set(id, message);
    const { conversation_id, text } = message;
    if (text.length > shortText) continue;
    held.get(conversation_id)?.messages.set(id, message);
    grown.set(conversation_id, (grown.get(conversation_id) ?? 0) + text.length);
  }
  for (const [id, each] of held) {
    // A row that changed between the two reads may be newer than its messages.
    if (each.version !== now.get(id) || each.size === tooLarge) continue;
    const more = grown.get(id);
    remember(memory, id, more === undefined ? each : { ...each, size: each.size + more });
  }
  return { rows: [...now.keys()].flatMap((id) => held.get(id)?.row ?? []), messages };
}

/** The least recently used ones are evicted. */
function remember(memory: Memory, id: string, each: Remembered): void {
  drop(memory, id);
  memory.conversations.set(id, each);
  memory.size += each.size;
  for (const oldest of memory.conversations.keys()) {
    if (memory.size <= mostRemembered) return;
    drop(memory, oldest);
  }
}

function drop(memory: Memory, id: string): void {
  memory.size -= memory.conversations.get(id)?.size ?? 0;
  memory.conversations.delete(id);
}

/** All messages of these conversations, as they are in the store; those of an unchanged row are cached. */
export async function readWhole(
  service: Service,
  ids: readonly string[],
  rows: ReadonlyMap<string, ConversationRow>,
): Promise<Map<string, readonly MessageRow[]>> {
  const memory = remembered.get(service);
  const keptFor = (id: string): Remembered | undefined => {
    const row = rows.get(id);
    const known = memory?.conversations.get(id);
    return row !== undefined && known?.version === versionText(row) ? known : undefined;
  };
  const whole = new Map<string, readonly MessageRow[]>();
  for (const id of ids) {
    const known = keptFor(id)?.whole;
    if (known !== undefined) whole.set(id, known);
  }
  const read = await service.records.conversations.messagesOf(ids.filter((id) => !whole.has(id)));
  for (const [id, messages] of read) {
    whole.set(id, messages);
    const known = keptFor(id);
    const size = messages.reduce((sum, { text }) => sum + text.length, 0);
    if (memory === undefined || known === undefined || size > mostWhole) continue;
    remember(memory, id, { ...known, whole: messages, size: known.size + size });
  }
  return whole;
}

/** In characters: one long conversation must not evict hundreds of others. */
const mostWhole = 200_000;

/** Removes forgotten conversations from the cache. */
export function dropRemembered(service: Service, conversationId: string): void {
  const memory = remembered.get(service);
  if (memory !== undefined) drop(memory, conversationId);
}

interface Neighbours {
  chunks: ChunkRow[];
  distances: Map<string, number>;
  fresh: Set<string>;
}

/** The neighbours of a keyword match at least this strong become candidates. */
const strongMatch = 0.4;

/**
 * The answer is often next to the message that contains the words of the question, and shares no word with it:
 * between people one message away, in short messages with an assistant up to three. (A long answer repeats its
 * subject.) The neighbours of strong matches are therefore candidates too; those that an earlier depth added are not
 * shown again.
 */
async function neighboursOf(
  service: Service,
  plan: Plan,
  gathered: Gathered,
  found: readonly ChunkRow[],
): Promise<Neighbours> {
  let best = 0;
  for (const score of gathered.scores.values()) best = Math.max(best, score);
  const isStrong = (id: string): boolean => keywordScore(gathered.scores.get(id) ?? 0, best) > strongMatch;
  const strong = found.filter(({ id }) => gathered.leaders.has(id) && isStrong(id));
  const beside = (chunks: readonly ChunkRow[]): string[] => chunks.flatMap(besideOne);
  // A chunk may have been shown for its vector before it became a keyword hit, in which case its neighbours were not
  // candidates.
  const shownBefore = new Set(beside(strong.filter(({ id }) => gathered.earlierLeaders.has(id))));
  const known = new Set(found.map(({ id }) => id));
  const wanted = [...new Set(beside(strong))].filter((id) => !known.has(id));
  const all = [...gathered.fresh, ...wanted];
  const fresh = new Set(all.filter((id) => !shownBefore.has(id)));
  if (wanted.length === 0) return { chunks: [], distances: new Map(), fresh };
  const chunks = await service.records.chunks.byIds(plan.visibility, wanted);
  const { scopes } = plan.visibility;
  const hits = plan.vector === undefined ? [] : await service.vectors.distancesOf(plan.vector, chunks, scopes);
  return { chunks, distances: new Map(hits.map(({ id, distance }) => [id, distance])), fresh };
}

function besideOne({ conversation_id, chunk_index, speaker, start, end }: ChunkRow): string[] {
  return reachOf({ speaker, length: end - start })
    .map((offset) => chunk_index + offset)
    .filter((index) => index >= 0)
    .map((index) => chunkId(conversation_id, index));
}

function reachOf({ speaker, length }: { speaker: string | undefined; length: number }): readonly number[] {
  if (speaker !== undefined) return [-1, 1];
  return length <= shortTurn ? [-3, -2, -1, 1, 2, 3] : [];
}

function versionText(row: ConversationVersion): string {
  const { updated_at, conversation_hash, first_at, last_at, chunk_count, tagged } = row;
  return `${updated_at} ${conversation_hash} ${first_at} ${last_at} ${chunk_count} ${tagged}`;
}

/** The candidates in the order of their relevance, by the service's settings. */
export function rankFound(service: Service, plan: Plan, candidates: readonly Candidate[]): Promise<RankedHit[]> {
  const { keywordWeight, metadataWeight, weights, deepWeight } = service.settings.retrieval;
  const { trust } = service.embedder;
  const similarity = similarityOf[service.settings.distance];
  return runYielding(
    ranking(candidates, plan.traits, { trust, keywordWeight, metadataWeight, weights, deepWeight, similarity }),
  );
}

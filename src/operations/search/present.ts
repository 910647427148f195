import type { ConversationRow, MessageRow } from '../../records/rows.js';
import { bestDistance, type Group } from '../../retrieval/group.js';
import type { Ranked } from '../../retrieval/rank.js';
import { unrelatedDistance } from '../../retrieval/similarity.js';
import { snippetOf } from '../../retrieval/snippet.js';
import { presentConversation } from '../present.js';
import type { Service } from '../service.js';
import type { SearchInput } from './input.js';
import type { ChunkItem, CompactItem, ConversationItem, SearchOutput, ThreadItem } from './output.js';

/** One line of the answer: a chunk, a conversation or a thread, with all that was retrieved around it. */
export interface Entry {
  group: Group;
  byConversation: ReadonlyMap<string, Group>;
  conversations: ReadonlyMap<string, ConversationRow>;
}

type PresentInput = Pick<SearchInput, 'result_mode' | 'include_messages' | 'explain'>;

const chunksShown = 3;

export async function presentEntries(
  service: Service,
  entries: readonly Entry[],
  input: PresentInput,
  terms: readonly string[],
): Promise<SearchOutput['results']> {
  const unrelated = unrelatedDistance[service.settings.distance];
  const whole = input.include_messages && (input.result_mode === 'chunks' || input.result_mode === 'conversations');
  const ids = [...new Set(entries.map(({ group }) => group.best.conversationId))];
  const messages = whole ? await service.records.conversations.messagesOf(ids) : new Map<string, MessageRow[]>();
  return entries.map((entry) => {
    const view = { entry, unrelated, messages, terms, explain: input.explain };
    switch (input.result_mode) {
      case 'chunks':
        return chunkItem(view);
      case 'compact':
        return compactItem(view);
      case 'conversations':
        return conversationItem(view);
      case 'threads':
        return threadItem(view);
      default:
        return input.result_mode satisfies never;
    }
  });
}

interface View {
  entry: Entry;
  unrelated: number;
  messages: ReadonlyMap<string, MessageRow[]>;
  terms: readonly string[];
  explain: boolean;
}

function chunkItem(view: View): ChunkItem {
  const { entry, unrelated, messages } = view;
  const { best } = entry.group;
  return {
    ...placeOf(best, view),
    ...textOf(best),
    conversation: presentConversation(rowOf(entry, best), messages.get(best.conversationId)),
    ...countsOf(entry, best, unrelated),
  };
}

function compactItem(view: View): CompactItem {
  const { entry, unrelated, terms } = view;
  const { best } = entry.group;
  return {
    ...placeOf(best, view),
    ...headingOf(rowOf(entry, best)),
    chunk_index: best.chunkIndex,
    snippet: snippetOf(best.text, terms),
    ...countsOf(entry, best, unrelated),
  };
}

function conversationItem(view: View): ConversationItem {
  const chunks = view.entry.group.chunks.slice(0, chunksShown).map((chunk) => ({
    ...textOf(chunk),
    score: chunk.distance ?? view.unrelated,
    relevance: chunk.relevance,
  }));
  return { ...chunkItem(view), chunks };
}

function threadItem(view: View): ThreadItem {
  const { entry, unrelated } = view;
  const { best, chunks } = entry.group;
  const bestOfEach = [...new Set(chunks.map((chunk) => chunk.conversationId))].flatMap(
    (id) => chunks.find((chunk) => chunk.conversationId === id) ?? [],
  );
  return {
    ...placeOf(best, view),
    thread_id: entry.group.key,
    ...textOf(best),
    conversation_count: bestOfEach.length,
    match_count: chunks.length,
    conversations: bestOfEach.map((chunk) => ({
      ...placeOf(chunk, view),
      ...headingOf(rowOf(entry, chunk)),
      ...textOf(chunk),
      ...countsOf(entry, chunk, unrelated),
    })),
  };
}

function placeOf(chunk: Ranked, { unrelated, explain }: View) {
  const { conversationId: id, distance: score = unrelated, relevance, shares } = chunk;
  return { id, score, relevance, ...(explain ? { explanation: shares } : {}) };
}

function textOf(chunk: Ranked) {
  return { chunk_index: chunk.chunkIndex, role: chunk.role, text: chunk.text };
}

function headingOf(row: ConversationRow) {
  return { ...(row.title === undefined ? {} : { title: row.title }), source: row.source, timestamp: row.timestamp };
}

function countsOf(entry: Entry, chunk: Ranked, unrelated: number) {
  const chunks = entry.byConversation.get(chunk.conversationId)?.chunks ?? [chunk];
  return { conversation_score: bestDistance(chunks, unrelated), conversation_match_count: chunks.length };
}

function rowOf(entry: Entry, chunk: Ranked): ConversationRow {
  const row = entry.conversations.get(chunk.conversationId);
  if (row === undefined) throw new Error('a ranked chunk lost its conversation');
  return row;
}

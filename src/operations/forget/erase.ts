import { nameTerms } from '../../language/speakers.js';
import { memoryStatuses } from '../../model/conversation.js';
import type { ChunkRow, ConversationRow, MessageRow } from '../../records/rows.js';
import { summaryId } from '../../records/summaries.js';
import { threadKey } from '../../records/threads.js';
import { putTombstone } from '../../records/tombstones.js';
import type { Change } from '../../stores/metadata/contract.js';
import { writeWithoutFacts } from '../facts/remember.js';
import { topicsOf } from '../insert/rows.js';
import type { Service } from '../service.js';

export interface Erased {
  messages: number;
  chunks: number;
  facts: number;
}

/**
 * One page of conversations, everywhere. First the vectors, then the metadata, a write for each: what fails in between
 * is still there to be forgotten by the next try, while a vector without its row would be out of reach. Chunks whose
 * vectors go are `pending` meanwhile, so that a conversation that stays after all becomes whole again.
 */
export async function eraseConversations(
  service: Service,
  rows: readonly ConversationRow[],
  { dryRun, leaveMark }: { dryRun: boolean; leaveMark: boolean },
): Promise<Erased> {
  const { records } = service;
  const messages = await records.conversations.messagesOf(rows.map(({ id }) => id));
  const chunks = await Promise.all(rows.map(({ id }) => records.chunks.ofConversation(id)));
  const all = chunks.flat();
  const facts = await ownFacts(service, rows);
  const erased = { messages: [...messages.values()].flat().length, chunks: all.length, facts };
  if (dryRun) return erased;
  const release = service.indexer.claim(all.map(({ id }) => id));
  try {
    const indexed = all.filter(({ index_state }) => index_state === 'indexed');
    await records.chunks.mark(
      indexed.map(({ id }) => id),
      'pending',
    );
    await service.vectors.remove(all);
    for (const [index, row] of rows.entries()) {
      const changes = changesFor(service, row, messages.get(row.id) ?? [], chunks[index] ?? [], leaveMark);
      await writeWithoutFacts(service, row, changes);
    }
    await forgetSpeakers(service, rows, all);
    for (const row of rows) service.digests.touch(row.project_id, topicsOf(row));
  } finally {
    release();
    service.indexer.poke();
  }
  return erased;
}

function changesFor(
  service: Service,
  row: ConversationRow,
  messages: readonly MessageRow[],
  chunks: readonly ChunkRow[],
  leaveMark: boolean,
): Change[] {
  const remove = (table: string, ids: string[]): Change => ({ kind: 'remove', table, ids });
  const traces = {
    projectId: row.project_id,
    source: row.source,
    upstreamThreadId: row.upstream_thread_id,
    messages,
  };
  return [
    remove('conversations', [row.id]),
    remove('headings', [row.id]),
    remove(
      'messages',
      messages.map(({ id }) => id),
    ),
    remove(
      'chunks',
      chunks.map(({ id }) => id),
    ),
    remove(
      'topics',
      topicsOf(row).map((topic) => `${row.id}:${topic}`),
    ),
    remove('threads', threadKeysOf(row)),
    remove('summaries', [summaryId(row.project_id, 'conversation', row.id)]),
    ...(leaveMark ? [putTombstone(row.id, traces, service.now())] : []),
  ];
}

/** Under whichever status the thread began. */
function threadKeysOf({
  project_id: projectId,
  source,
  upstream_thread_id: upstreamThreadId,
}: ConversationRow): string[] {
  if (upstreamThreadId === undefined) return [];
  return memoryStatuses.map((status) => threadKey({ projectId, source, upstreamThreadId, status }));
}

/** Facts that these conversations alone state. */
async function ownFacts({ records }: Service, rows: readonly ConversationRow[]): Promise<number> {
  const going = new Set(rows.map(({ id }) => id));
  const own = new Set<string>();
  for (const row of rows) {
    for (const { id, sources } of await records.facts.statedIn(row.project_id, row.id)) {
      if (sources.every(({ conversation_id }) => going.has(conversation_id))) own.add(id);
    }
  }
  return own.size;
}

/** Names that nobody else in the project bears are text as well. */
async function forgetSpeakers(
  { records }: Service,
  rows: readonly ConversationRow[],
  chunks: readonly ChunkRow[],
): Promise<void> {
  const [row] = rows;
  const names = new Set(chunks.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])));
  if (row === undefined || names.size === 0) return;
  const left = await records.chunks.speakersLeft(row.project_id, [...names]);
  const kept = new Set(left.flatMap(nameTerms));
  const gone = [...new Set([...names].flatMap(nameTerms))].filter((term) => !kept.has(term));
  const ids = gone.map((term) => `${row.project_id}:${term}`);
  if (ids.length > 0) await records.write([{ kind: 'remove', table: 'speakers', ids }]);
}

import { nameTerms } from '../../language/speakers.js';
import type { ChunkRow, ConversationRow, MessageRow } from '../../records/rows.js';
import { summaryId } from '../../records/summaries.js';
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
 * One page of conversations, everywhere. First the metadata, a write for each: from then on nobody finds it. Then the
 * vectors; should the process die in between, they lead nowhere, and a repair takes them away.
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
    for (const [index, row] of rows.entries()) {
      const changes = changesFor(service, row, messages.get(row.id) ?? [], chunks[index] ?? [], leaveMark);
      await writeWithoutFacts(service, row, changes);
    }
    await service.vectors.remove(all);
    await forgetSpeakers(service, rows, all);
    for (const row of rows) service.digests.touch(row.project_id, topicsOf(row));
  } finally {
    release();
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
    messageHashes: messages.map(({ hash }) => hash),
  };
  return [
    remove('conversations', [row.id]),
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
    remove('summaries', [summaryId(row.project_id, 'conversation', row.id)]),
    ...(leaveMark ? [putTombstone(row.id, traces, service.now())] : []),
  ];
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

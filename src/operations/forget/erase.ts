import { nameTerms } from '../../language/speakers.js';
import type { ChunkRow, ConversationRow, MessageRow } from '../../records/rows.js';
import { summaryId } from '../../records/summaries.js';
import { putTombstone } from '../../records/tombstones.js';
import type { Change } from '../../stores/metadata/contract.js';
import { topicsOf } from '../insert/rows.js';
import type { Service } from '../service.js';

export interface Erased {
  messages: number;
  chunks: number;
  facts: number;
}

/**
 * One page of conversations, everywhere. First the metadata, in one write: from then on nobody finds them. Then the
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
  const erased = { messages: [...messages.values()].flat().length, chunks: all.length, facts: 0 };
  if (dryRun) return erased;
  const release = service.indexer.claim(all.map(({ id }) => id));
  try {
    await records.write(
      rows.flatMap((row, index) =>
        changesFor(service, row, messages.get(row.id) ?? [], chunks[index] ?? [], leaveMark),
      ),
    );
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

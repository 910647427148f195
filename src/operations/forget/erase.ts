import { writeWithoutFacts } from '../../indexing/facts/remember.js';
import { topicsOf } from '../../indexing/rows.js';
import { nameTerms } from '../../language/names.js';
import { memoryStatuses } from '../../model/conversation.js';
import type { TableName } from '../../model/tables.js';
import { removeAliasKeys } from '../../records/aliases.js';
import { summaryId } from '../../records/annotations.js';
import { threadKey } from '../../records/claims.js';
import type { Change, ChangeOf, ChunkRow, ConversationRow, MessageRow } from '../../records/store.js';
import { putTombstone } from '../../records/tombstones.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { beingWritten } from '../pending.js';
import { dropRemembered } from '../search/hydrate.js';
import type { Service } from '../service.js';

/*
 * Erasing conversations: every row, vector and fact that depends on them, in one write each.
 */

/** What was erased, or would be. */
interface Erased {
  /** The erased conversations. */
  rows: ConversationRow[];
  messages: number;
  chunks: number;
  facts: number;
}

interface EraseOptions {
  dryRun: boolean;
  leaveMark: boolean;
  /** Reads a conversation again that was changed in the meantime; undefined when it is no longer selected. */
  lookAgain: (id: string) => Promise<ConversationRow | undefined>;
}

/** A conversation with all its dependent rows, as read. */
interface Content {
  row: ConversationRow;
  messages: readonly MessageRow[];
  chunks: readonly ChunkRow[];
}

const attempts = 5;

/**
 * Erases one page of conversations everywhere. First the vectors, then the metadata, in one write each: after a failure
 * in between, the conversation is still there for the next attempt, while a vector without its row could no longer be
 * found. Chunks are `pending` while their vectors are removed, so that a conversation that stays after all is indexed
 * again.
 */
export async function eraseConversations(
  service: Service,
  rows: readonly ConversationRow[],
  options: EraseOptions,
): Promise<Erased> {
  const contents = await contentsOf(service, rows);
  const facts = await ownFacts(service, rows);
  if (options.dryRun) return summed(contents, facts.size);
  const releases: (() => void)[] = [];
  const gone: Content[] = [];
  try {
    releases.push(await withoutVectors(service, contents));
    for (const content of contents) {
      const erased = await eraseOne(service, content, { ...options, onClaim: (release) => releases.push(release) });
      if (erased !== undefined) gone.push(erased);
    }
  } finally {
    for (const release of releases) release();
    service.indexer.poke();
  }
  if (gone.length < rows.length) for (const id of await stillStated(service, rows)) facts.delete(id);
  return summed(gone, facts.size);
}

function summed(contents: readonly Content[], facts: number): Erased {
  return {
    rows: contents.map(({ row }) => row),
    messages: contents.reduce((sum, { messages }) => sum + messages.length, 0),
    chunks: contents.reduce((sum, { chunks }) => sum + chunks.length, 0),
    facts,
  };
}

async function contentsOf({ records }: Service, rows: readonly ConversationRow[]): Promise<Content[]> {
  const messages = await records.conversations.messagesOf(rows.map(({ id }) => id));
  const chunks = await Promise.all(rows.map(({ id }) => records.chunks.ofConversation(id)));
  return rows.map((row, index) => ({ row, messages: messages.get(row.id) ?? [], chunks: chunks[index] ?? [] }));
}

/** Removes the vectors and keeps background indexing from recreating them until the returned function is called. */
async function withoutVectors(service: Service, contents: readonly Content[]): Promise<() => void> {
  const chunks = contents.flatMap((content) => content.chunks);
  const release = service.indexer.claim(chunks.map(({ id }) => id));
  try {
    const indexed = chunks.filter(({ index_state }) => index_state === 'indexed');
    await service.records.chunks.mark(
      indexed.map(({ id }) => id),
      'pending',
    );
    await service.vectors.remove(chunks);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Erases a conversation only in the version that was read: turns added since would otherwise stay behind without their
 * conversation, unreachable. Returns what was erased, or undefined when it is no longer selected.
 */
async function eraseOne(
  service: Service,
  read: Content,
  options: EraseOptions & { onClaim: (release: () => void) => void },
): Promise<Content | undefined> {
  let content: Content | undefined = read;
  for (let attempt = 1; content !== undefined; attempt++) {
    try {
      const { row } = content;
      const changes = [...changesFor(service, content, options.leaveMark), await withoutSpeakers(service, content)];
      await writeWithoutFacts(service, row, changes);
      service.deep?.remove(row.id);
      dropRemembered(service, row.id);
      service.digests.touch(row.project_id, topicsOf(row));
      return content;
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      if (attempt === attempts) throw beingWritten();
    }
    const current = await options.lookAgain(read.row.id);
    content = current && (await contentsOf(service, [current]))[0];
    if (content !== undefined) options.onClaim(await withoutVectors(service, [content]));
  }
  return undefined;
}

function changesFor(service: Service, { row, messages, chunks }: Content, leaveMark: boolean): Change[] {
  const remove = <Name extends TableName>(table: Name, ids: string[]): ChangeOf<Name> => ({
    kind: 'remove',
    table,
    ids,
  });
  const traces = {
    projectId: row.project_id,
    source: row.source,
    upstreamThreadId: row.upstream_thread_id,
    messages,
    others: (row.aliases ?? []).map((alias) => ({
      source: alias.source,
      upstreamThreadId: alias.upstream_thread_id,
    })),
  };
  // A reindex changes only the number of chunks.
  const when = {
    updated_at: row.updated_at,
    conversation_hash: row.conversation_hash,
    chunk_count: row.chunk_count,
  };
  return [
    { kind: 'patch', table: 'conversations', ids: [row.id], set: {}, when },
    ...(['pending', 'held'] as const).map((state) => stillIn(state, chunks)),
    remove('conversations', [row.id]),
    remove('headings', [row.id]),
    remove('message_vectors', [row.id]),
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
    removeAliasKeys(row, row.aliases ?? []),
    remove('summaries', [summaryId(row.project_id, 'conversation', row.id)]),
    ...(leaveMark ? [putTombstone(row.id, traces, service.now())] : []),
  ];
}

/** Fails if a chunk was indexed again: another writer then added its vectors after they were removed. */
function stillIn(state: 'pending' | 'held', chunks: readonly ChunkRow[]): Change {
  const inState = chunks.filter(({ index_state }) => (index_state === 'held') === (state === 'held'));
  const ids = inState.map(({ id }) => id);
  return { kind: 'patch', table: 'chunks', ids, set: {}, when: { index_state: state } };
}

/** The thread keys under every status that the thread may have begun with. */
function threadKeysOf({
  project_id: projectId,
  source,
  upstream_thread_id: upstreamThreadId,
}: ConversationRow): string[] {
  if (upstreamThreadId === undefined) return [];
  return memoryStatuses.map((status) => threadKey({ projectId, source, upstreamThreadId, status }));
}

/** Facts that only these conversations state. */
async function ownFacts({ records }: Service, rows: readonly ConversationRow[]): Promise<Set<string>> {
  const going = new Set(rows.map(({ id }) => id));
  const own = new Set<string>();
  for (const row of rows) {
    for (const { id, sources } of await records.facts.statedIn(row.project_id, row.id)) {
      if (sources.every(({ conversation_id }) => going.has(conversation_id))) own.add(id);
    }
  }
  return own;
}

async function stillStated({ records }: Service, rows: readonly ConversationRow[]): Promise<string[]> {
  const facts = await Promise.all(rows.map((row) => records.facts.statedIn(row.project_id, row.id)));
  return facts.flat().map(({ id }) => id);
}

/** Speaker names that occur in no other conversation of the project are user text too and are removed. */
async function withoutSpeakers({ records }: Service, { row, chunks }: Content): Promise<Change> {
  const own = new Map<string, number>();
  for (const { speaker } of chunks) if (speaker !== undefined) own.set(speaker, (own.get(speaker) ?? 0) + 1);
  const kept = new Set((await records.chunks.speakersBeside(row.project_id, own)).flatMap(nameTerms));
  const gone = [...new Set([...own.keys()].flatMap(nameTerms))].filter((term) => !kept.has(term));
  return { kind: 'remove', table: 'speakers', ids: gone.map((term) => `${row.project_id}:${term}`) };
}

import { writeWithoutFacts } from '../../indexing/facts/remember.js';
import { topicsOf } from '../../indexing/rows.js';
import { nameTerms } from '../../language/names.js';
import { memoryStatuses } from '../../model/conversation.js';
import type { TableName } from '../../model/tables.js';
import { removeAliasKeys } from '../../records/aliases.js';
import { summaryId } from '../../records/annotations.js';
import { threadKey } from '../../records/claims.js';
import type { ChunkRow, ConversationRow, MessageRow } from '../../records/rows.js';
import type { Change, ChangeOf } from '../../records/store.js';
import { putTombstone } from '../../records/tombstones.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { beingWritten } from '../pending.js';
import type { Service } from '../service.js';

export interface Erased {
  /** Those that are gone. */
  rows: ConversationRow[];
  messages: number;
  chunks: number;
  facts: number;
}

interface EraseOptions {
  dryRun: boolean;
  leaveMark: boolean;
  /** A conversation that somebody changed meanwhile, as it is now; undefined when it is not to go any more. */
  lookAgain: (id: string) => Promise<ConversationRow | undefined>;
}

/** A conversation with all that goes with it, as it was read. */
interface Content {
  row: ConversationRow;
  messages: readonly MessageRow[];
  chunks: readonly ChunkRow[];
}

const attempts = 5;

/**
 * One page of conversations, everywhere. First the vectors, then the metadata, a write for each: what fails in between
 * is still there to be forgotten by the next try, while a vector without its row would be out of reach. Chunks whose
 * vectors go are `pending` meanwhile, so that a conversation that stays after all becomes whole again.
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

/** Takes the vectors away and keeps the background from making them again, until the answer is called. */
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
 * Only as it was read: turns that were added since would stay behind without their conversation, out of everybody's
 * reach. Answers what is gone, or undefined when it is not to go any more.
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
  // A reindex changes the number of chunks and nothing else.
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

/** One that is indexed again has vectors again: whoever was at work on it has written them after they were removed. */
function stillIn(state: 'pending' | 'held', chunks: readonly ChunkRow[]): Change {
  const inState = chunks.filter(({ index_state }) => (index_state === 'held') === (state === 'held'));
  const ids = inState.map(({ id }) => id);
  return { kind: 'patch', table: 'chunks', ids, set: {}, when: { index_state: state } };
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

/** Names that nobody else in the project bears are text as well. */
async function withoutSpeakers({ records }: Service, { row, chunks }: Content): Promise<Change> {
  const own = new Map<string, number>();
  for (const { speaker } of chunks) if (speaker !== undefined) own.set(speaker, (own.get(speaker) ?? 0) + 1);
  const kept = new Set((await records.chunks.speakersBeside(row.project_id, own)).flatMap(nameTerms));
  const gone = [...new Set([...own.keys()].flatMap(nameTerms))].filter((term) => !kept.has(term));
  return { kind: 'remove', table: 'speakers', ids: gone.map((term) => `${row.project_id}:${term}`) };
}

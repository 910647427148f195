import { requireProject } from '../auth/projects.js';
import { runYielding } from '../concurrency/yielding.js';
import { extracting } from '../facts/extract.js';
import { type MemoryStatus, memoryStatuses } from '../model/conversation.js';
import { MemoryError } from '../model/errors.js';
import { localProjectId } from '../model/ids.js';
import type { Change, ChunkRow, ConversationRow, MessageRow } from '../records/store.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { type FactWriter, writeWithFacts } from './facts/remember.js';
import type { Indexer } from './indexer.js';
import { type Chunking, chunkChange, chunksOf, headingChange } from './rows.js';
import type { VectorIndex } from './vector-index.js';

/** The dependencies of a reindex. */
interface ReindexParts extends FactWriter, Chunking {
  vectors: VectorIndex;
  indexer: Indexer;
}

export interface ReindexOptions {
  projectId?: string;
  limit?: number;
  /** Include conversations that are held for review or were rejected. */
  includeInactive: boolean;
  /** Continue after this conversation id. */
  after?: string;
  /** The vector store was just emptied, so nothing needs to be looked up before writing. */
  emptyDestination?: boolean;
  /** Called after each page, for a progress bar and to save the position. */
  onProgress?: (progress: { done: number; total: number; lastId: string }) => void | Promise<void>;
  signal?: AbortSignal;
}

export interface ReindexReport {
  status: 'ok' | 'error';
  total: number;
  reindexed: number;
  chunks: number;
  skipped: number;
  failed: number;
  failures: { id: string; error: string }[];
  /** True when every conversation was processed: none was left out by a limit, a project or a signal. */
  complete: boolean;
}

const pageSize = 50;
const mostFailuresListed = 20;

/**
 * Rebuilds chunks from the stored messages, embeds them with the active model and replaces the stored ones. Failed
 * conversations are reported and skipped; their chunks stay pending.
 */
export async function reindex(parts: ReindexParts, options: ReindexOptions): Promise<ReindexReport> {
  const { conversations } = parts.records;
  const statuses: MemoryStatus[] = options.includeInactive ? [...memoryStatuses] : ['active'];
  const scope = { projectId: options.projectId };
  const total = await conversations.countAll({ ...scope, statuses });
  const everything = await conversations.countAll({ ...scope, statuses: memoryStatuses });
  if (everything === 0) await requireKnown(parts, options.projectId);
  const report: ReindexReport = {
    status: 'ok',
    total,
    reindexed: 0,
    chunks: 0,
    skipped: everything - total,
    failed: 0,
    failures: [],
    complete: false,
  };
  let after = options.after;
  const most = options.limit ?? Number.POSITIVE_INFINITY;
  while (report.reindexed + report.failed < most) {
    const left = most - report.reindexed - report.failed;
    const rows = await conversations.page({ ...scope, after, statuses, limit: Math.min(pageSize, left) });
    const last = rows.at(-1);
    if (last === undefined) {
      report.complete = options.projectId === undefined;
      break;
    }
    if (options.signal?.aborted) return report;
    // The first page after an interruption may contain rows that were already written.
    const fresh = options.emptyDestination === true && after !== options.after;
    await reindexPage(parts, rows, fresh, report);
    after = last.id;
    await options.onProgress?.({ done: report.reindexed + report.failed, total, lastId: after });
  }
  return report;
}

/** An empty project is valid and has nothing to reindex; an unknown one is probably a typo. */
async function requireKnown({ records }: ReindexParts, projectId: string | undefined): Promise<void> {
  if (projectId !== undefined && projectId !== localProjectId) await requireProject(records.accounts, projectId);
}

/** A page at a time, because one large write costs a vector store little more than a small one. */
async function reindexPage(
  parts: ReindexParts,
  rows: readonly ConversationRow[],
  fresh: boolean,
  report: ReindexReport,
): Promise<void> {
  try {
    report.chunks += await rebuild(parts, rows, fresh);
    report.reindexed += rows.length;
  } catch (error) {
    if (!isLocal(error)) throw error;
    for (const row of rows) await reindexOne(parts, row, report);
  }
}

async function reindexOne(parts: ReindexParts, row: ConversationRow, report: ReindexReport): Promise<void> {
  try {
    const current = await parts.records.conversations.holderOfId(row.id);
    if (current === undefined) {
      // Forgotten in the meantime.
      report.skipped += 1;
      return;
    }
    report.chunks += await rebuild(parts, [current], false);
    report.reindexed += 1;
  } catch (error) {
    if (!isLocal(error)) throw error;
    report.status = 'error';
    report.failed += 1;
    const message = error instanceof MemoryError ? error.message : 'It was changed at the same time; run reindex again';
    if (report.failures.length < mostFailuresListed) report.failures.push({ id: row.id, error: message });
  }
}

/** Whether a failure concerns one conversation only; an unavailable metadata store ends the run. */
function isLocal(error: unknown): boolean {
  return error instanceof WriteConflict || (error instanceof MemoryError && error.code !== 'metadata_unavailable');
}

async function rebuild(parts: ReindexParts, all: readonly ConversationRow[], fresh: boolean): Promise<number> {
  // Conversations with detected secrets are indexed only after approval.
  const rows = all.filter(({ memory_status, metadata }) => memory_status === 'active' || !metadata.review_reason);
  const messages = await parts.records.conversations.messagesOf(rows.map(({ id }) => id));
  const changes: Change[] = [];
  const stale: string[] = [];
  /** Chunks whose points differ from those that will be written. */
  const outdated: ChunkRow[] = [];
  const work: { chunk: ChunkRow; text: string }[] = [];
  /** Conversations that are chunked differently now: the reading model's vectors no longer match their chunks. */
  const recut: string[] = [];
  for (const row of rows) {
    const chunks = chunksOf(parts, row, messages.get(row.id) ?? []).map(asPending);
    const kept = new Map(chunks.map(({ chunk }) => [chunk.id, chunk]));
    const stored = await parts.records.chunks.ofConversation(row.id);
    stale.push(...stored.filter(({ id }) => !kept.has(id)).map(({ id }) => id));
    outdated.push(...stored.filter(({ id, windows = 1 }) => windows > (kept.get(id)?.windows ?? 1) || !kept.has(id)));
    if (!isCutAlike(stored, [...kept.values()])) recut.push(row.id);
    work.push(...chunks);
    changes.push(unchanged(row, { chunk_count: chunks.length }));
    changes.push(headingChange(row));
  }
  const release = parts.indexer.claim(work.map(({ chunk }) => chunk.id));
  try {
    await parts.records.write([
      ...changes,
      { kind: 'remove', table: 'chunks', ids: stale },
      { kind: 'remove', table: 'message_vectors', ids: recut },
      ...work.map(chunkChange),
    ]);
    await parts.vectors.remove(outdated);
    for (const row of rows) await restate(parts, row, messages.get(row.id) ?? [], work);
    await parts.indexer.index(work, { fresh });
    return work.length;
  } finally {
    release();
  }
}

function isCutAlike(stored: readonly ChunkRow[], chunks: readonly ChunkRow[]): boolean {
  const places = (rows: readonly ChunkRow[]): string =>
    JSON.stringify(rows.map(({ id, message_index, start, end }) => [id, message_index, start, end]));
  return places(stored) === places(chunks);
}

/** Detects messages added, a review decision or a forget since it was read, which this write would undo. */
function unchanged(
  { id, conversation_hash, memory_status }: ConversationRow,
  set: Partial<Pick<ConversationRow, 'chunk_count'>> = {},
): Change {
  return { kind: 'patch', table: 'conversations', ids: [id], set, when: { conversation_hash, memory_status } };
}

/** Writes facts again: for conversations stored before facts existed, and with the current chunk numbers. */
async function restate(
  parts: ReindexParts,
  row: ConversationRow,
  messages: readonly MessageRow[],
  work: readonly { chunk: ChunkRow }[],
): Promise<void> {
  const statements = await runYielding(extracting({ title: row.title, messages }));
  const chunks = work.flatMap(({ chunk }) => (chunk.conversation_id === row.id ? [chunk] : []));
  if (row.memory_status === 'active' && statements.length > 0)
    await writeWithFacts(parts, { row, messages, statements, chunks }, [unchanged(row)]);
}

/** Marks chunks of inactive conversations as pending too, because the caller asked for them. */
function asPending({ chunk, text }: { chunk: ChunkRow; text: string }): { chunk: ChunkRow; text: string } {
  return { chunk: { ...chunk, index_state: 'pending' }, text };
}

import { requireProject } from '../auth/projects.js';
import { runYielding } from '../concurrency/yielding.js';
import { extracting } from '../facts/extract.js';
import { chunkOfPoint, pointIds } from '../ingestion/hash.js';
import { type MemoryStatus, memoryStatuses, scopeOf } from '../model/conversation.js';
import { MemoryError } from '../model/errors.js';
import { localProjectId } from '../model/ids.js';
import type { IndexState } from '../model/tables.js';
import type { Records } from '../records/open.js';
import type { Change, ChunkRow, ConversationRow, MessageRow } from '../records/store.js';
import { isOutage } from '../resilience/breaker.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import type { VectorStore } from '../stores/vector/contract.js';
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

export interface RepairReport {
  /** Chunks marked as indexed with a missing or duplicate vector; they were indexed again. */
  reindexed_chunks: number;
  /** Chunks that must not be in the index; their vectors were removed. */
  removed_chunks: number;
  /** Vectors without a chunk; they were removed. */
  removed_vectors: number;
  /** Vectors without a chunk that the store cannot list; only a reindex into an empty store removes them. */
  stray_vectors: number;
  /** Chunks that could not be indexed; they stay pending. */
  pending_chunks: number;
  /** The reason, when the model or the store failed. */
  reason?: string;
}

interface RepairParts {
  records: Records;
  vectors: VectorIndex;
  indexer: Indexer;
}

const chunksAtOnce = 500;
/** The maximum number of ids that stores accept in a filter. */
const mostIds = 1_000;

/**
 * Compares metadata and vectors in both directions, point by point, and repairs differences. The metadata store is
 * authoritative: vectors are recreated or removed, never the reverse. A server may keep writing in the meantime: it
 * writes a chunk's row before its vectors, and removes the vectors before the row.
 */
export async function repairIndex(parts: RepairParts, store: VectorStore, dimension: number): Promise<RepairReport> {
  const { chunks } = parts.records;
  const report: RepairReport = {
    reindexed_chunks: 0,
    removed_chunks: 0,
    removed_vectors: 0,
    stray_vectors: 0,
    pending_chunks: 0,
  };
  const present = (some: readonly ChunkRow[]) => presentPoints(store, some, dimension);
  await walk(parts, 'held', async (held) => {
    const found = await present(held);
    const wrong = held.filter((chunk) => pointIds(chunk).some((id) => found.has(id)));
    await parts.vectors.remove(wrong);
    report.removed_chunks += wrong.length;
  });
  await walk(parts, 'indexed', async (indexed) => {
    const found = await present(indexed);
    const lost = indexed.filter((chunk) => pointIds(chunk).some((id) => !found.has(id))).map(({ id }) => id);
    await chunks.mark(lost, 'pending');
    report.reindexed_chunks += lost.length;
  });
  const { stray, doubled } = await lookThrough(parts, store, dimension);
  await store.remove([...stray, ...doubled]);
  report.removed_vectors = stray.length;
  const torn = await chunks.known([...new Set(doubled.map(chunkOfPoint))]);
  await chunks.mark(
    torn.map(({ id }) => id),
    'pending',
  );
  report.reindexed_chunks += torn.length;
  const trouble = await indexOnce(parts);
  if (trouble !== undefined) report.reason = trouble;
  report.pending_chunks = await chunks.countInState('pending');
  report.stray_vectors = Math.max(0, (await store.count()) - (await chunks.countPoints()));
  return report;
}

/** A single attempt, because a model that is down may stay down. Returns the reason when it fails. */
async function indexOnce({ indexer, vectors }: RepairParts): Promise<string | undefined> {
  try {
    await indexer.catchUp();
    await vectors.settled();
    return undefined;
  } catch (error) {
    if (!isOutage(error)) throw error;
    return error instanceof Error ? error.message : undefined;
  }
}

/** The reverse direction: from the vectors to the chunks they belong to. */
async function lookThrough(
  parts: RepairParts,
  store: VectorStore,
  dimension: number,
): Promise<{ stray: string[]; doubled: string[] }> {
  const seen = new Set<string>();
  const stray: string[] = [];
  const doubled = new Set<string>();
  for await (const page of store.ids?.() ?? foundBySearch(parts, store, dimension)) {
    for (const id of page) (seen.has(id) ? doubled : seen).add(id);
    const chunks = await parts.records.chunks.known([...new Set(page.map(chunkOfPoint))]);
    const wanted = new Set(chunks.flatMap(pointIds));
    stray.push(...page.filter((id) => !wanted.has(id)));
  }
  const gone = new Set(stray);
  return { stray: [...gone], doubled: [...doubled].filter((id) => !gone.has(id)) };
}

/** For stores that list rows only through search: all rows of a project, unless it is very large. */
const mostFound = 10_000;

async function* foundBySearch(
  { records }: RepairParts,
  store: VectorStore,
  dimension: number,
): AsyncGenerator<string[]> {
  const projects = await records.accounts.projects();
  for (const projectId of new Set([localProjectId, ...projects.map(({ id }) => id)])) {
    const scopes = memoryStatuses.map((status) => scopeOf(projectId, status));
    yield (await store.search(anywhere(dimension), { limit: mostFound, where: { scopes } })).map(({ id }) => id);
  }
}

async function walk(parts: RepairParts, state: IndexState, look: (chunks: ChunkRow[]) => Promise<void>): Promise<void> {
  let after: string | undefined;
  do {
    const page = await parts.records.chunks.inState(state, { after, limit: chunksAtOnce });
    if (page.length > 0) await look(page);
    after = page.at(-1)?.id;
  } while (after !== undefined);
}

/** Looked up by id, so their distance does not matter. */
async function presentPoints(store: VectorStore, chunks: readonly ChunkRow[], dimension: number): Promise<Set<string>> {
  const scopes = [...new Set(chunks.map(({ scope }) => scope))];
  const ids = chunks.flatMap(pointIds);
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += mostIds) {
    const some = ids.slice(from, from + mostIds);
    const hits = await store.search(anywhere(dimension), { limit: some.length, where: { scopes, ids: some } });
    for (const { id } of hits) found.add(id);
  }
  return found;
}

function anywhere(dimension: number): Float32Array {
  const vector = new Float32Array(dimension);
  vector[0] = 1;
  return vector;
}

import { chunkOfPoint, pointIds } from '../ingestion/hash.js';
import { memoryStatuses, scopeOf } from '../model/conversation.js';
import { localProjectId } from '../model/ids.js';
import type { IndexState } from '../model/tables.js';
import type { Records } from '../records/open.js';
import type { ChunkRow } from '../records/store.js';
import { isOutage } from '../resilience/breaker.js';
import type { VectorStore } from '../stores/vector/contract.js';
import type { Indexer } from './indexer.js';
import type { VectorIndex } from './vector-index.js';

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

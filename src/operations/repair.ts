import { pointIds } from '../ingestion/point-ids.js';
import type { ChunkRow, IndexState } from '../records/rows.js';
import type { VectorStore } from '../stores/vector/contract.js';
import type { Service } from './service.js';

export interface RepairReport {
  /** Chunks that were said to be indexed and lacked vectors: made again. */
  reindexed_chunks: number;
  /** Chunks that must not be in the index and were: taken out. */
  removed_chunks: number;
  /** Vectors left that belong to no chunk; only a reindex into an empty store removes them. */
  stray_vectors: number;
}

const chunksAtOnce = 500;
/** What a store takes as a filter of ids. */
const mostIds = 1_000;

/**
 * Compares metadata and vectors, point by point, and mends what differs. The metadata is right: vectors are made again
 * or removed, never the other way round.
 */
export async function repairIndex(service: Service, store: VectorStore, dimension: number): Promise<RepairReport> {
  const { chunks } = service.records;
  const report = { reindexed_chunks: 0, removed_chunks: 0, stray_vectors: 0 };
  const present = (some: readonly ChunkRow[]) => presentPoints(store, some, dimension);
  await walk(service, 'held', async (held) => {
    const found = await present(held);
    const wrong = held.filter((chunk) => pointIds(chunk).some((id) => found.has(id)));
    await service.vectors.remove(wrong);
    report.removed_chunks += wrong.length;
  });
  await walk(service, 'indexed', async (indexed) => {
    const found = await present(indexed);
    const lost = indexed.filter((chunk) => pointIds(chunk).some((id) => !found.has(id))).map(({ id }) => id);
    await chunks.mark(lost, 'pending');
    report.reindexed_chunks += lost.length;
  });
  service.indexer.poke();
  await service.indexer.settled();
  await service.vectors.settled();
  report.stray_vectors = Math.max(0, (await store.count()) - (await chunks.countPoints()));
  return report;
}

async function walk(service: Service, state: IndexState, look: (chunks: ChunkRow[]) => Promise<void>): Promise<void> {
  let after: string | undefined;
  do {
    const page = await service.records.chunks.inState(state, { after, limit: chunksAtOnce });
    if (page.length > 0) await look(page);
    after = page.at(-1)?.id;
  } while (after !== undefined);
}

/** Asked for by name: how far they are from anything does not matter. */
async function presentPoints(store: VectorStore, chunks: readonly ChunkRow[], dimension: number): Promise<Set<string>> {
  const anywhere = new Float32Array(dimension);
  anywhere[0] = 1;
  const scopes = [...new Set(chunks.map(({ scope }) => scope))];
  const ids = chunks.flatMap(pointIds);
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += mostIds) {
    const some = ids.slice(from, from + mostIds);
    const hits = await store.search(anywhere, { limit: some.length, where: { scopes, ids: some } });
    for (const { id } of hits) found.add(id);
  }
  return found;
}

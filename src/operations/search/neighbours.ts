import { chunkId } from '../../ingestion/hash.js';
import type { ChunkRow } from '../../records/rows.js';
import { keywordScore } from '../../retrieval/surroundings.js';
import type { Service } from '../service.js';
import type { Gathered, Plan } from './gather.js';

interface Neighbours {
  chunks: ChunkRow[];
  distances: Map<string, number>;
  fresh: Set<string>;
}

/** A keyword match at least this strong brings its neighbours along. */
const strongMatch = 0.4;

/**
 * Between people the answer often stands in the turn beside the one that holds the words of the question, and shares no
 * word with it. The neighbours of strong matches therefore join the candidates; those that an earlier depth brought
 * along are not shown again.
 */
export async function neighboursOf(
  service: Service,
  plan: Plan,
  gathered: Gathered,
  found: readonly ChunkRow[],
): Promise<Neighbours> {
  const best = Math.max(0, ...gathered.scores.values());
  const strong = found.filter(
    ({ id, speaker }) => speaker !== undefined && keywordScore(gathered.scores.get(id) ?? 0, best) > strongMatch,
  );
  const beside = (chunks: readonly ChunkRow[]): string[] =>
    chunks.flatMap(({ conversation_id, chunk_index }) =>
      [chunk_index - 1, chunk_index + 1].filter((index) => index >= 0).map((index) => chunkId(conversation_id, index)),
    );
  const shownBefore = new Set(beside(strong.filter(({ id }) => !gathered.fresh.has(id))));
  const known = new Set(found.map(({ id }) => id));
  const wanted = [...new Set(beside(strong))].filter((id) => !known.has(id));
  const all = [...gathered.fresh, ...wanted];
  const fresh = new Set(all.filter((id) => !shownBefore.has(id)));
  if (wanted.length === 0) return { chunks: [], distances: new Map(), fresh };
  const chunks = await service.records.chunks.byIds(plan.visibility, wanted);
  const { scopes } = plan.visibility;
  const hits = plan.vector === undefined ? [] : await service.vectors.distancesOf(plan.vector, chunks, scopes);
  return { chunks, distances: new Map(hits.map(({ id, distance }) => [id, distance])), fresh };
}

import { chunkId } from '../../ingestion/hash.js';
import type { ChunkRow } from '../../records/store.js';
import { keywordScore } from '../../retrieval/surroundings.js';
import { shortTurn } from '../../retrieval/turns.js';
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
 * The answer often stands beside the turn that holds the words of the question, and shares no word with it: between
 * people one turn away, in short turns with an assistant up to three. (A long answer repeats what it is about.) The
 * neighbours of strong matches therefore join the candidates; those that an earlier depth brought along are not shown
 * again.
 */
export async function neighboursOf(
  service: Service,
  plan: Plan,
  gathered: Gathered,
  found: readonly ChunkRow[],
): Promise<Neighbours> {
  let best = 0;
  for (const score of gathered.scores.values()) best = Math.max(best, score);
  const isStrong = (id: string): boolean => keywordScore(gathered.scores.get(id) ?? 0, best) > strongMatch;
  const strong = found.filter(({ id }) => gathered.leaders.has(id) && isStrong(id));
  const beside = (chunks: readonly ChunkRow[]): string[] => chunks.flatMap(besideOne);
  // A chunk may have been shown for its vector before it became a keyword hit. Its neighbours were not shown with it then.
  const shownBefore = new Set(beside(strong.filter(({ id }) => gathered.earlierLeaders.has(id))));
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

function besideOne({ conversation_id, chunk_index, speaker, start, end }: ChunkRow): string[] {
  return reachOf({ speaker, length: end - start })
    .map((offset) => chunk_index + offset)
    .filter((index) => index >= 0)
    .map((index) => chunkId(conversation_id, index));
}

function reachOf({ speaker, length }: { speaker: string | undefined; length: number }): readonly number[] {
  if (speaker !== undefined) return [-1, 1];
  return length <= shortTurn ? [-3, -2, -1, 1, 2, 3] : [];
}

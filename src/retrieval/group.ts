import { isQuotation, plainRelevance, type RankedHit, rounded } from './rank.js';

/** Everything found of one conversation or thread, best chunk first. */
export interface Group {
  key: string;
  best: RankedHit;
  chunks: RankedHit[];
}

/** A group with the components of its rank. */
export interface RankedGroup extends Group {
  relevance: number;
  shares: Record<string, number>;
}

/** Grouping runs over all candidates, before anything is trimmed; groups keep the order of their best chunk. */
export function groupBy(ranked: readonly RankedHit[], keyOf: (chunk: RankedHit) => string): Group[] {
  const groups = new Map<string, Group>();
  for (const chunk of ranked) {
    const key = keyOf(chunk);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, best: chunk, chunks: [chunk] });
    else group.chunks.push(chunk);
  }
  return [...groups.values()];
}

/** The weight of all chunks found in a conversation, relative to its best chunk. */
const evidenceWeight = 0.2;

/**
 * Orders conversations and threads by their evidence: the best chunk plus the mean of all chunks and one chunk with a
 * score of zero. So two good matches beat one, many weak ones do not, and a long conversation gains nothing from its
 * length. Equal groups keep the order of their best chunks.
 */
export function rankGroups(groups: readonly Group[]): RankedGroup[] {
  return groups
    .map((group) => {
      // Exactness counts for the best chunk only.
      const sum = group.chunks.reduce((total, chunk) => total + plainRelevance(chunk), 0);
      const evidence = isQuotation(group.best) ? 0 : rounded((evidenceWeight * sum) / (group.chunks.length + 1));
      const relevance = rounded(group.best.relevance + evidence);
      const { key, best, chunks } = group;
      return { key, best, chunks, relevance, shares: { ...best.shares, evidence } };
    })
    .sort((one, other) => other.relevance - one.relevance);
}

/** A single chunk, ranked by its own relevance. */
export function rankedAlone({ key, best, chunks }: Group): RankedGroup {
  return { key, best, chunks, relevance: best.relevance, shares: best.shares };
}

/** The lowest distance among the chunks, or `otherwise` when none has one. */
export function bestDistance(chunks: readonly RankedHit[], otherwise: number): number {
  const distances = chunks.flatMap(({ distance }) => (distance === undefined ? [] : [distance]));
  return distances.length === 0 ? otherwise : Math.min(...distances);
}

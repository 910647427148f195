import { isQuotation, plainRelevance, type RankedHit, rounded } from './rank.js';

/** Everything found of one conversation or thread, best chunk first. */
export interface Group {
  key: string;
  best: RankedHit;
  chunks: RankedHit[];
}

/** A group with what its place in the answer is made of. */
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

/** What all that was found of a conversation counts beside its best chunk. */
const evidenceWeight = 0.2;

/**
 * Conversations and threads by their own evidence: the best chunk, and the others as a mean with one chunk of nothing
 * added. So two good matches beat one, a mere crowd of weak ones does not, and a long conversation gains nothing by being
 * long. Groups that are equal keep the order of their best chunk.
 */
export function rankGroups(groups: readonly Group[]): RankedGroup[] {
  return groups
    .map((group) => {
      // Exactness orders the groups by their best chunk alone.
      const sum = group.chunks.reduce((total, chunk) => total + plainRelevance(chunk), 0);
      const evidence = isQuotation(group.best) ? 0 : rounded((evidenceWeight * sum) / (group.chunks.length + 1));
      const relevance = rounded(group.best.relevance + evidence);
      const { key, best, chunks } = group;
      return { key, best, chunks, relevance, shares: { ...best.shares, evidence } };
    })
    .sort((one, other) => other.relevance - one.relevance);
}

/** A chunk by itself: its place is its own relevance. */
export function rankedAlone({ key, best, chunks }: Group): RankedGroup {
  return { key, best, chunks, relevance: best.relevance, shares: best.shares };
}

/** The lowest distance among the chunks, or `otherwise` when none has one. */
export function bestDistance(chunks: readonly RankedHit[], otherwise: number): number {
  const distances = chunks.flatMap(({ distance }) => (distance === undefined ? [] : [distance]));
  return distances.length === 0 ? otherwise : Math.min(...distances);
}

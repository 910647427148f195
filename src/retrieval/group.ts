import type { Ranked } from './rank.js';

/** Everything found of one conversation or thread, best chunk first; groups keep the order of their best chunk. */
export interface Group {
  key: string;
  best: Ranked;
  chunks: Ranked[];
}

/** Grouping runs over all candidates, before anything is trimmed. */
export function groupBy(ranked: readonly Ranked[], keyOf: (chunk: Ranked) => string): Group[] {
  const groups = new Map<string, Group>();
  for (const chunk of ranked) {
    const key = keyOf(chunk);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, best: chunk, chunks: [chunk] });
    else group.chunks.push(chunk);
  }
  return [...groups.values()];
}

/** The lowest distance among the chunks, or `otherwise` when none has one. */
export function bestDistance(chunks: readonly Ranked[], otherwise: number): number {
  const distances = chunks.flatMap(({ distance }) => (distance === undefined ? [] : [distance]));
  return distances.length === 0 ? otherwise : Math.min(...distances);
}

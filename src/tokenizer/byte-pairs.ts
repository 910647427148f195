/** The vocabulary: bytes written as a Latin-1 string, to the rank at which they are merged. */
export type Ranks = ReadonlyMap<string, number>;

/**
 * Merges neighbouring bytes, lowest rank first and leftmost among equals, until no pair is in the vocabulary; returns
 * where each token ends. The package's own merge rescans everything after each step, which takes minutes for some
 * thousand equal letters; a heap of candidates makes it n log n with the same result.
 */
export function mergeBytePairs(bytes: string, ranks: Ranks, longestToken: number): number[] {
  const count = bytes.length;
  // A token is known by its first byte: `end` is where it ends, `before` where its left neighbour starts.
  const end = Int32Array.from({ length: count }, (_, start) => start + 1);
  const before = Int32Array.from({ length: count }, (_, start) => start - 1);
  /** Rank of the pair that starts here; -1 when there is none or the token was swallowed by its neighbour. */
  const pairRank = new Int32Array(count).fill(-1);
  const candidates: number[] = [];

  function consider(start: number): void {
    const middle = end[start] ?? count;
    const pairEnd = end[middle] ?? count;
    const isPossible = middle < count && pairEnd - start <= longestToken;
    const rank = isPossible ? (ranks.get(bytes.slice(start, pairEnd)) ?? -1) : -1;
    pairRank[start] = rank;
    if (rank >= 0) push(candidates, rank * positions + start);
  }

  for (let start = 0; start < count - 1; start++) consider(start);
  for (let best = pop(candidates); best !== undefined; best = pop(candidates)) {
    const start = best % positions;
    // A candidate from before a neighbour merged is out of date.
    if (pairRank[start] !== Math.floor(best / positions)) continue;
    const swallowed = end[start] ?? count;
    const pairEnd = end[swallowed] ?? count;
    pairRank[swallowed] = -1;
    end[start] = pairEnd;
    if (pairEnd < count) before[pairEnd] = start;
    consider(start);
    const left = before[start] ?? -1;
    if (left >= 0) consider(left);
  }

  const ends: number[] = [];
  for (let start = 0; start < count; start = end[start] ?? count) ends.push(end[start] ?? count);
  return ends;
}

/** Rank and position share one number, which sorts by rank and then from the left; both stay below 2^53 together. */
const positions = 2 ** 32;

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

function pop(heap: number[]): number | undefined {
  const least = heap[0];
  const value = heap.pop();
  if (value === undefined || heap.length === 0) return least;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if ((heap[child + 1] ?? Number.POSITIVE_INFINITY) < (heap[child] ?? 0)) child++;
    const below = heap[child] ?? 0;
    if (below >= value) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = value;
  return least;
}

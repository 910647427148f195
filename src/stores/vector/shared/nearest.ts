import type { Hit } from '../contract.js';

/** Nearest first, ties by id: the order of every store's results. */
export function compareHits(one: Hit, other: Hit): number {
  if (one.distance !== other.distance) return one.distance - other.distance;
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

export interface Nearest {
  /** Keep this hit if it is among the nearest so far; NaN is never kept. */
  offer(id: string, distance: number): void;
  /** Whatever is farther than this would not be kept. */
  farthest(): number;
  /** What was kept, in order, each id once. */
  hits(): Hit[];
}

/** The nearest `limit` hits of any number offered, in a heap whose root is the farthest kept. */
export function nearestOf(limit: number): Nearest {
  const heap: Hit[] = [];

  function offer(id: string, distance: number): void {
    if (Number.isNaN(distance) || limit <= 0) return;
    const farthest = heap[0];
    if (heap.length < limit || farthest === undefined) {
      heap.push({ id, distance });
      rise(heap, heap.length - 1);
    } else if (distance <= farthest.distance) {
      const hit = { id, distance };
      if (compareHits(hit, farthest) >= 0) return;
      heap[0] = hit;
      sink(heap);
    }
  }

  const farthest = (): number => (heap.length < limit ? Number.POSITIVE_INFINITY : (heap[0]?.distance ?? 0));

  return { offer, farthest, hits: () => eachOnce(heap.toSorted(compareHits)) };
}

/** Sorted hits with each id kept at its nearest place only. */
export function eachOnce(sorted: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return sorted.filter((hit) => !seen.has(hit.id) && seen.add(hit.id));
}

function rise(heap: Hit[], start: number): void {
  for (let child = start; child > 0; ) {
    const parent = (child - 1) >> 1;
    if (!swapIfFarther(heap, { upper: parent, lower: child })) return;
    child = parent;
  }
}

function sink(heap: Hit[]): void {
  for (let parent = 0; ; ) {
    const left = 2 * parent + 1;
    const right = left + 1;
    const [leftHit, rightHit] = [heap[left], heap[right]];
    if (leftHit === undefined) return;
    const lower = rightHit !== undefined && compareHits(rightHit, leftHit) > 0 ? right : left;
    if (!swapIfFarther(heap, { upper: parent, lower })) return;
    parent = lower;
  }
}

function swapIfFarther(heap: Hit[], { upper, lower }: { upper: number; lower: number }): boolean {
  const [above, below] = [heap[upper], heap[lower]];
  if (above === undefined || below === undefined || compareHits(below, above) <= 0) return false;
  heap[upper] = below;
  heap[lower] = above;
  return true;
}

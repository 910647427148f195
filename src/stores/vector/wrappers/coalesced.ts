import { MemoryError } from '../../../model/errors.js';
import type { Point, VectorStore } from '../contract.js';

const POINTS_A_WRITE = 5_000;

interface Waiting {
  points: readonly Point[];
  fresh: boolean;
  settle: { resolve: () => void; reject: (error: unknown) => void };
}

/**
 * Writes what arrives while a write is under way together, in the next one: a store that pays for each write, such as
 * one with a version per write, then pays once for many callers. Each caller waits for its own points only, and hears
 * of a failure only if its own points fail.
 */
export function coalesced(store: VectorStore): VectorStore {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const taken = takeSome(waiting);
      waiting = waiting.slice(taken.length);
      const { fresh, others } = inOrderOfIds(taken);
      await writeTogether(store, fresh, { fresh: true });
      await writeTogether(store, others, { fresh: false });
    }
    writing = undefined;
  }

  return {
    ...store,

    upsert(points, { fresh = false } = {}) {
      if (points.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        waiting.push({ points, fresh, settle: { resolve, reject } });
        writing ??= writeAll();
      });
    },

    async reset(shape) {
      await writing;
      await store.reset(shape);
    },

    async close() {
      await writing;
      await store.close();
    },
  };
}

/** The first callers whose points fit one write, at least one. */
function takeSome(waiting: readonly Waiting[]): Waiting[] {
  let points = 0;
  const end = waiting.findIndex((caller, i) => {
    points += caller.points.length;
    return i > 0 && points > POINTS_A_WRITE;
  });
  return waiting.slice(0, end === -1 ? undefined : end);
}

/**
 * Fresh points are written first, so a caller's word is taken only while none of its ids was seen before in the same
 * round: an id written by an earlier caller must be replaced, not joined, and must not come back afterwards.
 */
function inOrderOfIds(taken: readonly Waiting[]): { fresh: Waiting[]; others: Waiting[] } {
  const seen = new Set<string>();
  const fresh: Waiting[] = [];
  const others: Waiting[] = [];
  for (const caller of taken) {
    const isFresh = caller.fresh && !caller.points.some((point) => seen.has(point.id));
    (isFresh ? fresh : others).push(caller);
    for (const point of caller.points) seen.add(point.id);
  }
  return { fresh, others };
}

async function writeTogether(
  store: VectorStore,
  callers: readonly Waiting[],
  options: { fresh: boolean },
): Promise<void> {
  const [first, ...rest] = callers;
  if (first === undefined) return;
  try {
    await store.upsert(rest.length === 0 ? first.points : callers.flatMap((caller) => caller.points), options);
    for (const caller of callers) caller.settle.resolve();
  } catch (error) {
    // A store that is down or silent would make every one of them wait for the same answer.
    if (rest.length === 0 || error instanceof MemoryError) for (const caller of callers) caller.settle.reject(error);
    // Part of the failed write may be in the store: the second try replaces.
    else for (const caller of callers) await writeTogether(store, [caller], { fresh: false });
  }
}

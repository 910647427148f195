import type { Guard } from '../../../resilience/guard.js';
import type { VectorStore } from '../contract.js';

/** Opening may load a collection, and emptying one may take a service a while. */
const longCall = 10;
/** A write of so many points may take twice the time, and so on. */
const pointsInTime = 1_000;

/**
 * The same store, each call within its time. All of them may be repeated: a point replaces the one with its id. What is
 * written again is never `fresh`, since part of it may be there. In a store of this machine, which has no keys, a write
 * is made `alone`: one that was given up may still end, and two at once would make two rows. `maintain` and `scrub` take
 * as long as the files are large, and nobody waits for them but the background.
 */
export function guardedVectors(
  store: VectorStore,
  guard: Guard,
  { timeoutMs, embedded }: { timeoutMs: number; embedded: boolean },
): VectorStore {
  const usual = { withinMs: timeoutMs, again: true };
  const long = { withinMs: timeoutMs * longCall, again: false };
  return {
    ...store,
    open: (shape) => guard.run(() => store.open(shape), long),
    upsert(points, { fresh = false } = {}) {
      let first = true;
      const write = (): Promise<void> => {
        const writing = store.upsert(points, { fresh: fresh && first });
        first = false;
        return writing;
      };
      return guard.run(write, {
        withinMs: timeoutMs * (1 + points.length / pointsInTime),
        again: true,
        alone: embedded,
      });
    },
    search: (vector, options) => guard.run(() => store.search(vector, options), usual),
    remove: (ids) => guard.run(() => store.remove(ids), { ...usual, alone: embedded }),
    count: () => guard.run(() => store.count(), usual),
    reset: (shape) => guard.run(() => store.reset(shape), long),
    close: () => guard.run(() => store.close(), { withinMs: timeoutMs, again: false, always: true }),
  };
}

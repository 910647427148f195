import type { VectorStore } from '../contract.js';

/** Reads as usual and writes nothing. Wrap it in `observedVectors`, so that a wrong dimension still fails. */
export function dryRunVectors(store: VectorStore): VectorStore {
  const nothing = async () => {};
  return { ...store, upsert: nothing, remove: nothing, reset: nothing, maintain: nothing, scrub: nothing };
}

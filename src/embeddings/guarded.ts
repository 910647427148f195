import type { Guard } from '../resilience/guard.js';
import type { Embedder } from './contract.js';

/**
 * The same embedder, with callers who do not wait beyond their patience: one whose signal aborts is let go at once, and
 * `withinMs` ends every call, where it is given. A model on this machine may take its time with a large batch.
 */
export function guardedEmbedder(embedder: Embedder, guard: Guard, { withinMs }: { withinMs?: number }): Embedder {
  return {
    ...embedder,
    embed(texts, options = {}) {
      const asked = () => orAbort(embedder.embed(texts, options), options.signal);
      return withinMs === undefined ? asked() : guard.run(asked, { withinMs, again: false });
    },
  };
}

/** Rejects with the signal's reason as soon as it aborts, whether or not the work heeds it. */
function orAbort<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

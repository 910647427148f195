import { setImmediate as nextTurn } from 'node:timers/promises';
import { timeIntent } from '../language/time/time-intent.js';
import type { Observer } from '../observability/observer.js';
import type { VectorStore } from '../stores/vector/contract.js';

/** What the first searches would wait for otherwise, done beside the start of a server. */
export async function warmUp(vectors: VectorStore, { observer, now }: { observer: Observer; now: () => string }) {
  await vectors.warm?.().catch((error) => observer.log('debug', 'vector_warming_failed', {}, error));
  // Patterns are compiled when they are first used, and once more, to run faster, the second time: 50 ms in all.
  for (let use = 0; use < 2; use++) {
    await nextTurn();
    timeIntent('What was it last spring?', now());
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryError } from '../model/errors.js';
import type { Steps } from '../model/steps.js';

/** Requests and health checks must not wait for long work, so the event loop gets a turn after this much of it. */
const turnMilliseconds = 8;

/** A turn of long work in this thread. */
export interface Turn {
  isOver(): boolean;
  /** Lets everybody else run, and begins anew. */
  pass(): Promise<void>;
}

export function createTurn(): Turn {
  let ends = performance.now() + turnMilliseconds;
  return {
    isOver: () => performance.now() >= ends,
    async pass() {
      await nextTurn();
      ends = performance.now() + turnMilliseconds;
    },
  };
}

/**
 * The outcome of work in steps, with pauses in between; pieces of work side by side share a turn. Stops at the next pause
 * after `signal` aborts.
 */
export async function inTurns<Result>(
  steps: Steps<Result>,
  { turn = createTurn(), signal }: { turn?: Turn; signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (!turn.isOver()) continue;
    await turn.pass();
    // Thrown inside the steps, so that they clean up.
    if (signal?.aborted) steps.throw(new MemoryError('invalid_input', 'The client closed the request; send it again'));
  }
}

import { setImmediate as nextEventLoopPass } from 'node:timers/promises';
import { MemoryError } from '../model/errors.js';
import type { Steps } from '../model/steps.js';

/** Long work yields to requests and health checks after this long. */
const sliceMilliseconds = 8;

/** The time that long work may use before it yields to the event loop. */
export interface TimeSlice {
  isOver(): boolean;
  /** Yields to the event loop, then starts a new slice. */
  yield(): Promise<void>;
}

export function createTimeSlice(): TimeSlice {
  let ends = performance.now() + sliceMilliseconds;
  return {
    isOver: () => performance.now() >= ends,
    async yield() {
      await nextEventLoopPass();
      ends = performance.now() + sliceMilliseconds;
    },
  };
}

/**
 * Runs work in steps and yields to the event loop between them; concurrent work may share a slice. Stops at the next
 * yield after `signal` aborts.
 */
export async function runYielding<Result>(
  steps: Steps<Result>,
  { slice = createTimeSlice(), signal }: { slice?: TimeSlice; signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (!slice.isOver()) continue;
    await slice.yield();
    // Thrown inside the generator, so that its `finally` blocks run.
    if (signal?.aborted) steps.throw(clientGone());
  }
}

/** Yields to the event loop once, between two stages that may each take long. */
export async function yieldOnce(): Promise<void> {
  await nextEventLoopPass();
}

/** Called between the stages of a long operation, so that it stops once its client has disconnected. */
export function refuseIfGone(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw clientGone();
}

function clientGone(): MemoryError {
  return new MemoryError('invalid_input', 'The client closed the request; send it again');
}

/** Keeps the process alive until `work` settles, because retry timers are unref'd. */
export async function awake<Result>(work: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => undefined, 60_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

import { createTimeSlice } from '../concurrency/yielding.js';
import type { Steps } from '../model/steps.js';

/** Computes the vector of a text in steps of bounded work. */
export type VectorSteps = (text: string) => Steps<Float32Array>;

/**
 * Computes the vectors of the texts in this thread and yields to the event loop in between. Reading the clock costs
 * about as much as a very small step, so it is read only after every `stepsPerLook` of them.
 */
export async function inSteps(
  steps: VectorSteps,
  texts: readonly string[],
  { signal, stepsPerLook }: { signal: AbortSignal | undefined; stepsPerLook: number },
): Promise<Float32Array[]> {
  signal?.throwIfAborted();
  const vectors: Float32Array[] = [];
  const slice = createTimeSlice();
  let count = 0;
  for (const text of texts) {
    const computing = steps(text);
    let step = computing.next();
    while (!step.done) {
      if (++count % stepsPerLook === 0 && slice.isOver()) {
        await slice.yield();
        signal?.throwIfAborted();
      }
      step = computing.next();
    }
    vectors.push(step.value);
  }
  return vectors;
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** The vector of a text, computed in steps of bounded work. */
export type VectorSteps = (text: string) => Generator<void, Float32Array, void>;

/** Requests and health checks must not wait for a big batch, so the event loop gets a turn after this much work. */
const workMilliseconds = 6;

/**
 * The vectors of the texts, computed in this thread with pauses in between. Reading the clock costs about as much as a
 * very small step, so it is read only after every `stepsPerLook` of them.
 */
export async function inSteps(
  steps: VectorSteps,
  texts: readonly string[],
  { signal, stepsPerLook }: { signal: AbortSignal | undefined; stepsPerLook: number },
): Promise<Float32Array[]> {
  signal?.throwIfAborted();
  const vectors: Float32Array[] = [];
  let started = performance.now();
  let count = 0;
  for (const text of texts) {
    const computing = steps(text);
    let step = computing.next();
    while (!step.done) {
      if (++count % stepsPerLook === 0 && performance.now() - started >= workMilliseconds) {
        await nextTurn();
        signal?.throwIfAborted();
        started = performance.now();
      }
      step = computing.next();
    }
    vectors.push(step.value);
  }
  return vectors;
}

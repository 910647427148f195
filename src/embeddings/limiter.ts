import { MemoryError } from '../model/errors.js';

export interface Limiter {
  /** Runs the task when one of the places is free, first come first served. Aborted while waiting, it never starts. */
  run<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** Waiting tasks beyond which a further one is turned away: each holds its texts. */
const mostWaiting = 1_000;

/** At most `places` tasks at the same time. One that finds too many waiting fails with `embedding_unavailable`. */
export function createLimiter(places: number): Limiter {
  let free = places;
  const waiting = new Set<() => void>();

  function release(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  }

  function enter(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    if (waiting.size >= mostWaiting) return Promise.reject(overcrowded());
    return new Promise((resolve, reject) => {
      const admit = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal.reason);
      };
      const leave = () => {
        waiting.delete(admit);
        signal.removeEventListener('abort', giveUp);
      };
      waiting.add(admit);
      signal.addEventListener('abort', giveUp);
    });
  }

  return {
    async run(task, signal) {
      signal.throwIfAborted();
      await enter(signal);
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
}

function overcrowded(): MemoryError {
  const fields = { retry_after: '5' };
  return new MemoryError('embedding_unavailable', 'Too many texts wait for the embedding endpoint; try again.', {
    fields,
  });
}

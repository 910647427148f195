import { MemoryError } from '../model/errors.js';

export interface RateLimit {
  /** Throws `rate_limited` when this key asks too often. */
  take(key: string): void;
}

/** Keys remembered at a time; the one unused for longest makes room. Forgetting one only gives it a fresh start. */
const mostKeys = 10_000;

/** A bucket for each key: it holds a minute's worth and fills evenly, so a burst is fine and a flood is not. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  const perMillisecond = perMinute / 60_000;
  return {
    take(key) {
      const time = now();
      const known = buckets.get(key) ?? { left: perMinute, at: time };
      // A clock that was set back fills nothing and breaks nothing.
      const filled = Math.min(perMinute, known.left + Math.max(0, time - known.at) * perMillisecond);
      buckets.delete(key);
      buckets.set(key, { left: Math.max(0, filled - 1), at: time });
      const [oldest] = buckets.keys();
      if (buckets.size > mostKeys && oldest !== undefined) buckets.delete(oldest);
      if (filled < 1) throw tooMany(Math.ceil((1 - filled) / perMillisecond / 1_000));
    },
  };
}

function tooMany(seconds: number): MemoryError {
  const fields = { retry_after: String(Math.max(1, seconds)) };
  return new MemoryError('rate_limited', 'Too many requests; wait a little and try again', { fields });
}

/** Lets so many requests in at a time and turns the others away at once: waiting ones would only fill the memory. */
export function createRoom(most: number): { enter(): () => void } {
  let inside = 0;
  return {
    enter() {
      if (inside >= most) {
        const fields = { retry_after: '1' };
        throw new MemoryError('rate_limited', 'The server is busy; try again in a moment', { fields });
      }
      inside += 1;
      return () => {
        inside -= 1;
      };
    },
  };
}

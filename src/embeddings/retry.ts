import type { MemoryError } from '../model/errors.js';
import { backoff } from '../resilience/backoff.js';

/** How one attempt ended. A failure that another attempt cannot mend is thrown instead. */
export type Attempt<Result> =
  | { kind: 'answered'; value: Result }
  | { kind: 'failed'; error: MemoryError; retryAfterMs: number | undefined };

export interface RetryOptions {
  maxRetries: number;
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  signal: AbortSignal;
}

/** Tries until it is answered, at most `1 + maxRetries` times; then throws the last failure. */
export async function withRetries<Result>(
  attempt: () => Promise<Attempt<Result>>,
  { maxRetries, wait, random, signal }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    const outcome = await attempt();
    if (outcome.kind === 'answered') return outcome.value;
    if (failures >= maxRetries) throw outcome.error;
    await wait(outcome.retryAfterMs ?? backoff(failures, { ...pauses, random }), signal);
  }
}

const pauses = { first: 500, longest: 30_000 };
const longestRetryAfterMs = 60_000;

/** Milliseconds asked for by a Retry-After header, in seconds or as an HTTP date; absent when there is nothing usable. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : httpDate(value) - now;
  if (Number.isNaN(milliseconds)) return undefined;
  return Math.min(Math.max(milliseconds, 0), longestRetryAfterMs);
}

/** `Date.parse` alone would read "-5" as a day in May. */
function httpDate(value: string): number {
  return /^[A-Z][a-z]+, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
}

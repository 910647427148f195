import { AsyncLocalStorage } from 'node:async_hooks';

/** The request a log line belongs to, without passing it through every function. */
const current = new AsyncLocalStorage<{ requestId: string }>();

export function withRequestId<T>(requestId: string, run: () => T): T {
  return current.run({ requestId }, run);
}

export function currentRequestId(): string | undefined {
  return current.getStore()?.requestId;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { HistogramName } from './observer.js';
import { childOf, rootOf, type SpanPlace } from './span-place.js';

/** What the work that is going on belongs to, without passing it through every function. */
interface Context {
  requestId: string;
  span?: OpenSpan;
}

/** A span that is not over: the duration of this name, told from inside, ends it. */
export interface OpenSpan {
  place: SpanPlace;
  endsWith: HistogramName;
  ended: boolean;
}

const current = new AsyncLocalStorage<Context | undefined>();

export function withRequestId<T>(requestId: string, run: () => T): T {
  const span = current.getStore()?.span;
  return current.run({ requestId, ...(span === undefined ? {} : { span }) }, run);
}

/** A request is a span of its own, continuing the trace of the caller where it named one. */
export function withRequest<T>(
  request: { requestId: string; traceparent: string | undefined; endsWith: HistogramName },
  run: () => T,
): T {
  const { requestId, traceparent, endsWith } = request;
  return current.run({ requestId, span: { place: rootOf(traceparent), endsWith, ended: false } }, run);
}

/** Work inside a request that has parts of its own to tell of. */
export function withSpan<T>(endsWith: HistogramName, run: () => T): T {
  const context = current.getStore();
  const parent = context?.span?.place;
  const place = parent === undefined ? rootOf(undefined) : childOf(parent);
  return current.run({ requestId: context?.requestId ?? '', span: { place, endsWith, ended: false } }, run);
}

/** Work that a request starts and does not wait for: what happens in it is not that request's, which may be long over. */
export function outsideRequests<T>(run: () => T): T {
  return current.run(undefined, run);
}

export function currentRequestId(): string | undefined {
  return current.getStore()?.requestId || undefined;
}

export function currentSpan(): OpenSpan | undefined {
  return current.getStore()?.span;
}

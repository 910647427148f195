import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { HistogramName, Labels } from './observer.js';

/** The request and span of the current work, without passing them through every function. */
interface Context {
  requestId: string;
  span?: OpenSpan;
}

/** An open span: reporting the duration of this name from inside ends it. */
interface OpenSpan {
  place: SpanPlace;
  endsWith: HistogramName;
  ended: boolean;
}

const current = new AsyncLocalStorage<Context | undefined>();

export function withRequestId<T>(requestId: string, run: () => T): T {
  const span = current.getStore()?.span;
  return current.run({ requestId, ...(span === undefined ? {} : { span }) }, run);
}

/** Runs a request as a span that continues the caller's trace, if there is one. */
export function withRequest<T>(
  request: { requestId: string; traceparent: string | undefined; endsWith: HistogramName },
  run: () => T,
): T {
  const { requestId, traceparent, endsWith } = request;
  return current.run({ requestId, span: { place: rootOf(traceparent), endsWith, ended: false } }, run);
}

/** Runs work inside a request as its own span. */
export function withSpan<T>(endsWith: HistogramName, run: () => T): T {
  const context = current.getStore();
  const parent = context?.span?.place;
  const place = parent === undefined ? rootOf(undefined) : childOf(parent);
  return current.run({ requestId: context?.requestId ?? '', span: { place, endsWith, ended: false } }, run);
}

/** Runs work that a request starts and does not await outside its context: the request may end long before. */
export function outsideRequests<T>(run: () => T): T {
  return current.run(undefined, run);
}

export function currentRequestId(): string | undefined {
  return current.getStore()?.requestId || undefined;
}

export function currentSpan(): OpenSpan | undefined {
  return current.getStore()?.span;
}

/** A span's trace, its own id and its parent. Ids are hexadecimal, as in W3C Trace Context. */
interface SpanPlace {
  traceId: string;
  spanId: string;
  parentId?: string;
  /** The caller's sampling decision for the whole trace; absent when it is ours. */
  sampled?: boolean;
}

const traceparentForm = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The root of our part of a trace. A malformed `traceparent` is ignored. */
function rootOf(traceparent: string | undefined): SpanPlace {
  const [, traceId, parentId, flags] = traceparentForm.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || parentId === undefined || /^0+$/.test(traceId) || /^0+$/.test(parentId)) {
    return { traceId: hexadecimal(16), spanId: hexadecimal(8) };
  }
  const sampled = (Number.parseInt(flags ?? '0', 16) & 1) === 1;
  return { traceId, spanId: hexadecimal(8), parentId, sampled };
}

function childOf(parent: SpanPlace): SpanPlace {
  const { traceId, spanId: parentId, sampled } = parent;
  return { traceId, spanId: hexadecimal(8), parentId, ...(sampled === undefined ? {} : { sampled }) };
}

/** Derived from the trace id, so that every process makes the same decision for a trace. */
function isSampled({ traceId, sampled }: SpanPlace, ratio: number): boolean {
  if (sampled === false) return false;
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}

function hexadecimal(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** A finished span. It carries only the labels of its metric, so it cannot contain user text. */
export interface Span extends SpanPlace {
  name: string;
  kind: 'server' | 'internal';
  start: number;
  end: number;
  labels: Labels;
  failed: boolean;
}

/** The span name of each duration metric, and the label that qualifies it. */
const spanNames: Record<HistogramName, { name: string; label?: string; kind: Span['kind'] }> = {
  memory_api_request_duration_ms: { name: 'http', label: 'route', kind: 'server' },
  memory_mcp_tool_duration_ms: { name: 'mcp', label: 'tool', kind: 'internal' },
  memory_ingestion_stage_duration_ms: { name: 'ingestion', label: 'stage', kind: 'internal' },
  memory_embedding_duration_ms: { name: 'embedding', kind: 'internal' },
  memory_vector_search_duration_ms: { name: 'vector_search', kind: 'internal' },
};

interface SpanSettings {
  sampleRatio: number;
  /** Milliseconds since 1970. */
  now: () => number;
  add: (span: Span) => void;
}

/** Turns durations into spans: a duration that ends the current span becomes that span; any other becomes its child. */
export function createSpans({ sampleRatio, now, add }: SpanSettings) {
  return (metric: HistogramName, milliseconds: number, labels: Labels): void => {
    const open = currentSpan();
    const place = placeOf(metric, open);
    if (!isSampled(place, sampleRatio)) return;
    const end = now();
    const { name, label, kind } = spanNames[metric];
    const particular = label === undefined ? undefined : labels[label];
    add({
      ...place,
      name: particular === undefined ? name : `${name} ${particular}`,
      kind,
      start: end - milliseconds,
      end,
      labels,
      failed: hasFailed(labels),
    });
  };
}

function placeOf(metric: HistogramName, open: ReturnType<typeof currentSpan>): SpanPlace {
  if (open === undefined) return rootOf(undefined);
  if (open.endsWith !== metric || open.ended) return childOf(open.place);
  open.ended = true;
  return open.place;
}

function hasFailed({ status, status_code: code }: Labels): boolean {
  return status === 'error' || Number(code ?? 0) >= 500;
}

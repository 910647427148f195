import { randomBytes } from 'node:crypto';

/** Where a span belongs: its trace, its own id, its parent. Ids are hexadecimal, as W3C Trace Context writes them. */
export interface SpanPlace {
  traceId: string;
  spanId: string;
  parentId?: string;
  /** What the caller decided for the whole trace; absent when it is ours to decide. */
  sampled?: boolean;
}

const traceparentForm = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The beginning of our part of a trace. A malformed `traceparent` is as good as none. */
export function rootOf(traceparent: string | undefined): SpanPlace {
  const [, traceId, parentId, flags] = traceparentForm.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || parentId === undefined || /^0+$/.test(traceId) || /^0+$/.test(parentId)) {
    return { traceId: hexadecimal(16), spanId: hexadecimal(8) };
  }
  const sampled = (Number.parseInt(flags ?? '0', 16) & 1) === 1;
  return { traceId, spanId: hexadecimal(8), parentId, sampled };
}

export function childOf(parent: SpanPlace): SpanPlace {
  const { traceId, spanId: parentId, sampled } = parent;
  return { traceId, spanId: hexadecimal(8), parentId, ...(sampled === undefined ? {} : { sampled }) };
}

/** The same answer for every span of a trace, in every process: the trace id itself is the lot that is drawn. */
export function isSampled({ traceId, sampled }: SpanPlace, ratio: number): boolean {
  if (sampled === false) return false;
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}

function hexadecimal(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

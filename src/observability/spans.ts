import type { HistogramName, Labels } from './observer.js';
import { childOf, currentSpan, isSampled, rootOf, type SpanPlace } from './request-context.js';

/** A finished span. It carries only the labels of its metric, so it cannot contain user text. */
export interface Span extends SpanPlace {
  name: string;
  kind: 'server' | 'internal';
  start: number;
  end: number;
  labels: Labels;
  failed: boolean;
}

/** What a duration is called as a span, and which label makes it particular. */
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

/**
 * Spans from durations: whoever tells how long something took has told a span. A duration that ends the span it is
 * told in becomes that span; any other is a child of it.
 */
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

// What the interface and docs/observability.md promise, and how far a set of OTLP messages keeps it.

const counter = { kind: 'sum', unit: '1' };
const histogram = { kind: 'histogram', unit: 'ms' };
const gauge = { kind: 'gauge', unit: '1' };
const promised = {
  memory_mcp_tool_calls_total: { ...counter, labels: ['error_code', 'status', 'tool'] },
  memory_api_requests_total: { ...counter, labels: ['route', 'status_code'] },
  memory_insert_total: { ...counter, labels: ['deduplicated', 'result', 'status'] },
  memory_embedding_failures_total: { ...counter, labels: ['error_type', 'provider'] },
  memory_provider_fallback_total: { ...counter, labels: ['effective_provider', 'requested_provider'] },
  memory_dependency_failures_total: { ...counter, labels: ['dependency', 'error_type'] },
  memory_mcp_tool_duration_ms: { ...histogram, labels: ['status', 'tool'] },
  memory_api_request_duration_ms: { ...histogram, labels: ['route', 'status_code'] },
  memory_ingestion_stage_duration_ms: { ...histogram, labels: ['stage'] },
  memory_embedding_duration_ms: { ...histogram, labels: ['model', 'provider'] },
  memory_vector_search_duration_ms: { ...histogram, labels: ['provider'] },
  memory_vector_rows: { ...gauge, labels: ['provider'] },
  memory_health_mode: { ...gauge, labels: ['mode'] },
  memory_tokenizer_enabled: { ...gauge, labels: [] },
  memory_pending_chunks: { ...gauge, labels: [] },
  memory_queued_chunks: { ...gauge, labels: [] },
  memory_circuit_open: { ...gauge, labels: ['dependency'] },
  memory_waiting_conversations: { ...gauge, labels: ['work'] },
  memory_encoded_conversations: { ...gauge, labels: [] },
};

const promisedSpans = [
  'http /memory/insert',
  'http /memory/search',
  'http /memory/ask',
  'http /mcp',
  'http other',
  'mcp memory_search',
  'mcp memory_retrieve',
  ...['coerce', 'normalise', 'hash', 'validate_schema', 'dedupe_lookup', 'chunk', 'metadata_insert', 'embedding'].map(
    (stage) => `ingestion ${stage}`,
  ),
  'embedding',
  'vector_search',
];

const cumulative = 2;

export function missingIn({ traces, metrics }) {
  const faults = [];
  const resources = [
    ...traces.flatMap((each) => each.resourceSpans),
    ...metrics.flatMap((each) => each.resourceMetrics),
  ];
  for (const { resource } of resources) {
    const names = resource.attributes.map(({ key }) => key).sort();
    const wanted = ['deployment.environment.name', 'service.instance.id', 'service.name', 'service.version'];
    if (names.join() !== wanted.join()) faults.push(`the resource has the attributes ${names}`);
  }
  const sent = metrics
    .flatMap((each) => each.resourceMetrics)
    .flatMap((each) => each.scopeMetrics)
    .flatMap((each) => each.metrics);
  for (const [name, promise] of Object.entries(promised)) {
    const own = sent.filter((metric) => metric.name === name);
    if (own.length === 0) faults.push(`${name} is missing`);
    for (const metric of own) faults.push(...wrongWith(metric, promise).map((fault) => `${name} ${fault}`));
  }
  for (const name of new Set(sent.map((metric) => metric.name))) {
    if (!(name in promised)) faults.push(`${name} is promised nowhere`);
  }
  const spans = traces
    .flatMap((each) => each.resourceSpans)
    .flatMap((each) => each.scopeSpans)
    .flatMap((each) => each.spans);
  const names = new Set(spans.map((span) => span.name));
  for (const name of promisedSpans) if (!names.has(name)) faults.push(`the span "${name}" is missing`);
  const ids = new Set(spans.map(({ spanId }) => String(spanId)));
  const inside = spans.filter(({ name }) => name.startsWith('mcp '));
  if (inside.some(({ parentSpanId }) => !ids.has(String(parentSpanId)))) faults.push('a tool’s span has no parent');
  if (spans.some((span) => Number(span.endTimeUnixNano) < Number(span.startTimeUnixNano)))
    faults.push('a span ends early');
  return { faults: [...new Set(faults)], names: new Set(sent.map((metric) => metric.name)).size, spans: spans.length };
}

function* wrongs(metric, { kind, unit, labels }) {
  const data = metric[kind];
  if (metric.unit !== unit) yield `has the unit ${metric.unit}`;
  if (data === undefined) return yield `is no ${kind}`;
  if (kind !== 'gauge' && data.aggregationTemporality !== cumulative) yield 'is not cumulative';
  if (kind === 'sum' && data.isMonotonic !== true) yield 'may fall';
  for (const point of data.dataPoints) {
    const found = (point.attributes ?? []).map(({ key }) => key).sort();
    if (found.join() !== labels.join()) yield `has the labels ${found}`;
    if (kind !== 'histogram') continue;
    const counts = point.bucketCounts.map(Number);
    if (counts.length !== point.explicitBounds.length + 1) yield 'has a bucket too many or too few';
    if (counts.reduce((sum, count) => sum + count, 0) !== Number(point.count)) yield 'has buckets that do not add up';
  }
}

function wrongWith(metric, promise) {
  return [...wrongs(metric, promise)];
}

import type { CounterName, GaugeName, HistogramName, Labels } from './observer.js';

export interface HistogramSnapshot {
  count: number;
  sum: number;
  /** Upper bounds in milliseconds and how many observations fell at or under each. */
  buckets: { le: number; count: number }[];
}

export interface MetricsSnapshot {
  counters: { name: string; labels: Labels; value: number }[];
  histograms: ({ name: string; labels: Labels } & HistogramSnapshot)[];
}

/** The current value of a gauge. */
export interface GaugeSample {
  name: GaugeName;
  labels: Labels;
  value: number;
}

const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** More label sets than this mean that a label is not from a closed list; the rest are dropped. */
const mostSeries = 1_000;

export type Metrics = ReturnType<typeof createMetrics>;

/** Counters and histograms of this process, in bounded memory. */
export function createMetrics() {
  const counters = new Map<string, { name: string; labels: Labels; value: number }>();
  const histograms = new Map<string, { name: string; labels: Labels; count: number; sum: number; counts: number[] }>();

  return {
    count(name: CounterName, labels: Labels = {}, by = 1): void {
      const series = seriesOf(counters, name, labels, () => ({ name, labels, value: 0 }));
      if (series !== undefined) series.value += by;
    },

    duration(name: HistogramName, milliseconds: number, labels: Labels = {}): void {
      const empty = () => ({ name, labels, count: 0, sum: 0, counts: bounds.map(() => 0) });
      const series = seriesOf(histograms, name, labels, empty);
      if (series === undefined) return;
      series.count += 1;
      series.sum += milliseconds;
      const bucket = bounds.findIndex((bound) => milliseconds <= bound);
      if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    },

    snapshot(): MetricsSnapshot {
      return {
        counters: [...counters.values()].map((series) => ({ ...series })),
        histograms: [...histograms.values()].map(({ name, labels, count, sum, counts }) => {
          let below = 0;
          const buckets = bounds.map((le, index) => {
            below += counts[index] ?? 0;
            return { le, count: below };
          });
          return { name, labels, count, sum, buckets };
        }),
      };
    },
  };
}

function seriesOf<T>(all: Map<string, T>, name: string, labels: Labels, empty: () => T): T | undefined {
  const key = `${name} ${JSON.stringify(labels)}`;
  const known = all.get(key);
  if (known !== undefined || all.size >= mostSeries) return known;
  const created = empty();
  all.set(key, created);
  return created;
}

export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8';

const counters: Record<CounterName, string> = {
  memory_mcp_tool_calls_total: 'Calls to MCP tools.',
  memory_api_requests_total: 'HTTP requests.',
  memory_insert_total: 'Inserts by outcome.',
  memory_embedding_failures_total: 'Failed calls to the embedder.',
  memory_provider_fallback_total: 'Starts that used a store other than the configured one.',
  memory_dependency_failures_total: 'Calls to a store or an embedding service that failed, timed out or were not made.',
};

const histograms: Record<HistogramName, string> = {
  memory_mcp_tool_duration_ms: 'Duration of MCP tool calls, in milliseconds.',
  memory_api_request_duration_ms: 'Duration of HTTP requests, in milliseconds.',
  memory_ingestion_stage_duration_ms: 'Duration of each insert stage, in milliseconds.',
  memory_embedding_duration_ms: 'Duration of calls to the embedder, in milliseconds.',
  memory_vector_search_duration_ms: 'Duration of vector store searches, in milliseconds.',
};

const gauges: Record<GaugeName, string> = {
  memory_vector_rows: 'Rows in the vector store.',
  memory_health_mode: '1 for the mode the service runs in.',
  memory_tokenizer_enabled: '1 when the exact tokenizer is in use.',
  memory_pending_chunks: 'Chunks that are stored but not in the vector index yet.',
  memory_queued_chunks: 'Searchable chunks that are buffered for the vector store.',
  memory_circuit_open: '1 while the circuit of a store or an embedding service is open because it keeps failing.',
  memory_waiting_conversations: 'Conversations the reading model still has to process, as far as they were counted.',
  memory_encoded_conversations: 'Conversations whose messages have vectors of the reading model.',
};

/** The snapshot in Prometheus text format. */
export function prometheusText(snapshot: MetricsSnapshot, samples: readonly GaugeSample[]): string {
  const families = everyFamily();
  const family = (name: string): string[] => families.get(name) ?? [];
  for (const { name, labels, value } of snapshot.counters) family(name).push(line(name, labels, value));
  for (const { name, labels, count, sum, buckets } of snapshot.histograms) {
    const own = family(name);
    for (const bucket of buckets) own.push(line(`${name}_bucket`, { ...labels, le: String(bucket.le) }, bucket.count));
    own.push(line(`${name}_bucket`, { ...labels, le: '+Inf' }, count));
    own.push(line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count));
  }
  for (const { name, labels, value } of samples) family(name).push(line(name, labels, value));
  return `${[...families.keys()].sort().flatMap(family).join('\n')}\n`;
}

/** Declares every metric family, even one without events, so that dashboards and alerts find it from the start. */
function everyFamily(): Map<string, string[]> {
  const families = new Map<string, string[]>();
  for (const [type, helps] of Object.entries({ counter: counters, histogram: histograms, gauge: gauges })) {
    for (const [name, help] of Object.entries(helps))
      families.set(name, [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]);
  }
  return families;
}

function line(name: string, labels: Labels, value: number): string {
  const written = Object.entries(labels).map(([key, each]) => `${key}="${escaped(each)}"`);
  return `${name}${written.length === 0 ? '' : `{${written.join(',')}}`} ${value}`;
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

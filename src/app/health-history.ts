import type { MetricsSnapshot } from '../observability/metrics.js';
import { outsideRequests } from '../observability/request-context.js';
import type { HealthMode } from './health.js';

/** The state of the service at one moment, and the requests since the moment before. */
export interface HealthSample {
  at: string;
  mode: HealthMode;
  /** Chunks that wait for the vector index; absent when the store did not answer. */
  pending_chunks?: number;
  requests: number;
  /** Requests that failed through a fault of the service. */
  failed_requests: number;
  mean_ms?: number;
}

export interface HealthHistory {
  /** Oldest first. */
  samples(): readonly HealthSample[];
  /** Takes a sample now. */
  sample(): Promise<void>;
  stop(): void;
}

interface HistoryParts {
  mode: () => HealthMode;
  countPending: () => Promise<number | undefined>;
  snapshot: () => MetricsSnapshot;
  now: () => string;
}

/** A sample a minute, for a day. */
const sampleEvery = 60_000;
const mostSamples = 24 * 60;

/**
 * Watches the service while it runs, so that an operator sees when something began. Kept in memory, without user text.
 * The first sample is taken after a minute.
 */
export function watchHealth({ mode, countPending, snapshot, now }: HistoryParts): HealthHistory {
  const samples: HealthSample[] = [];
  let before = requestsIn(snapshot());
  const sample = async (): Promise<void> => {
    const pending = await countPending();
    const total = requestsIn(snapshot());
    const requests = total.count - before.count;
    samples.push({
      at: now(),
      mode: mode(),
      ...(pending === undefined ? {} : { pending_chunks: pending }),
      requests,
      failed_requests: total.failed - before.failed,
      ...(requests === 0 ? {} : { mean_ms: (total.sum - before.sum) / requests }),
    });
    if (samples.length > mostSamples) samples.shift();
    before = total;
  };
  // A failing store leaves out its own number, so nothing else can fail here.
  const timer = setInterval(() => void outsideRequests(sample), sampleEvery);
  timer.unref();
  return { samples: () => samples, sample, stop: () => clearInterval(timer) };
}

/** Requests for the memory itself: probes and pages would drown them. */
function requestsIn({ histograms }: MetricsSnapshot): { count: number; sum: number; failed: number } {
  const total = { count: 0, sum: 0, failed: 0 };
  for (const { name, labels, count, sum } of histograms) {
    if (name !== 'memory_api_request_duration_ms' || !String(labels.route).startsWith('/memory/')) continue;
    total.count += count;
    total.sum += sum;
    if (Number(labels.status_code) >= 500) total.failed += count;
  }
  return total;
}

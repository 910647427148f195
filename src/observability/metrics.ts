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

/** A value as it is at this moment. */
export interface GaugeSample {
  name: GaugeName;
  labels: Labels;
  value: number;
}

const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** More label sets than this per process would mean that a label is not from a closed list; the rest is not kept. */
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

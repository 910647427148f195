import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/observability/metrics.js';

describe('createMetrics', () => {
  it('counts by name and labels', () => {
    const metrics = createMetrics();
    metrics.count('memory_insert_total', { status: 'active' });
    metrics.count('memory_insert_total', { status: 'active' });
    metrics.count('memory_insert_total', { status: 'rejected' });
    expect(metrics.snapshot().counters).toEqual([
      { name: 'memory_insert_total', labels: { status: 'active' }, value: 2 },
      { name: 'memory_insert_total', labels: { status: 'rejected' }, value: 1 },
    ]);
  });

  it('sorts durations into buckets that add up', () => {
    const metrics = createMetrics();
    for (const milliseconds of [0.5, 3, 5, 700, 60_000]) metrics.duration('memory_embedding_duration_ms', milliseconds);
    const [histogram] = metrics.snapshot().histograms;
    expect(histogram).toMatchObject({ name: 'memory_embedding_duration_ms', labels: {}, count: 5, sum: 60_708.5 });
    expect(histogram?.buckets.filter(({ le }) => [1, 5, 500, 1_000, 10_000].includes(le))).toEqual([
      { le: 1, count: 1 },
      { le: 5, count: 3 },
      { le: 500, count: 3 },
      { le: 1_000, count: 4 },
      { le: 10_000, count: 4 },
    ]);
  });

  // Reference bug 29: labels of any value made the memory of the process grow without end.
  it('stays small for any labels', () => {
    const metrics = createMetrics();
    for (let number = 0; number < 5_000; number++) {
      metrics.count('memory_api_requests_total', { route: String(number) });
      metrics.duration('memory_api_request_duration_ms', 1, { route: String(number) });
    }
    const { counters, histograms } = metrics.snapshot();
    expect([counters.length, histograms.length]).toEqual([1_000, 1_000]);
  });

  it('gives a picture that later counts do not change', () => {
    const metrics = createMetrics();
    metrics.count('memory_insert_total');
    const before = metrics.snapshot();
    metrics.count('memory_insert_total');
    expect(before.counters[0]?.value).toBe(1);
  });
});

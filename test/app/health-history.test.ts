import { afterEach, describe, expect, it, vi } from 'vitest';
import { type HealthMode, watchHealth } from '../../src/app/health.js';
import { createMetrics } from '../../src/observability/metrics.js';

function aHistory() {
  const metrics = createMetrics();
  const state: { mode: HealthMode; pending: number | undefined; minute: number } = {
    mode: 'ok',
    pending: 0,
    minute: 0,
  };
  const history = watchHealth({
    mode: () => state.mode,
    countPending: async () => state.pending,
    snapshot: metrics.snapshot,
    now: () => new Date(Date.UTC(2026, 0, 1, 0, ++state.minute)).toISOString(),
  });
  const request = (route: string, milliseconds: number, status_code = '200'): void =>
    metrics.duration('memory_api_request_duration_ms', milliseconds, { route, status_code });
  return { history, state, request };
}

afterEach(() => vi.useRealTimers());

describe('the history of health', () => {
  it('has what happened between two samples', async () => {
    const { history, state, request } = aHistory();
    request('/memory/search', 10);
    request('/memory/search', 30);
    request('/ready', 1_000);
    await history.sample();
    state.mode = 'degraded';
    state.pending = 7;
    request('/memory/ask', 40, '503');
    await history.sample();
    state.pending = undefined;
    await history.sample();
    expect(history.samples()).toEqual([
      { at: '2026-01-01T00:01:00.000Z', mode: 'ok', pending_chunks: 0, requests: 2, failed_requests: 0, mean_ms: 20 },
      {
        at: '2026-01-01T00:02:00.000Z',
        mode: 'degraded',
        pending_chunks: 7,
        requests: 1,
        failed_requests: 1,
        mean_ms: 40,
      },
      { at: '2026-01-01T00:03:00.000Z', mode: 'degraded', requests: 0, failed_requests: 0 },
    ]);
    history.stop();
  });

  it('is taken every minute, for a day, until it is stopped', async () => {
    vi.useFakeTimers();
    const { history } = aHistory();
    await vi.advanceTimersByTimeAsync(3 * 60_000);
    expect(history.samples()).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(25 * 3_600_000);
    expect(history.samples()).toHaveLength(1_440);
    history.stop();
    const last = history.samples().at(-1);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(history.samples().at(-1)).toBe(last);
  });
});

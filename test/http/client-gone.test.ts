import { expect, it, vi } from 'vitest';
import type { MetricsSnapshot } from '../../src/observability/metrics.js';
import { turns } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aServer } from '../support/server.js';

it('an insert whose client hangs up is neither prepared to its end nor stored', async () => {
  const server = await aServer();
  const metrics = async (): Promise<MetricsSnapshot> => {
    const body = (await (await fetch(`${server.url}/observability`)).json()) as { metrics: MetricsSnapshot };
    return body.metrics;
  };
  const stages = async () =>
    (await metrics()).histograms.flatMap(({ name, labels }) =>
      name === 'memory_ingestion_stage_duration_ms' ? [labels.stage] : [],
    );
  const texts = Array.from({ length: 4_000 }, (_, index) => `I like thing${index}. I live in City${index}. `.repeat(4));
  const client = new AbortController();
  const inserting = fetch(`${server.url}/memory/insert`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'chatgpt', messages: turns(...texts) }),
    signal: client.signal,
  });
  const given = expect(inserting).rejects.toMatchObject({ name: 'AbortError' });
  await vi.waitFor(async () => expect(await stages()).toContain('normalise'), soon);
  client.abort();
  await given;
  await vi.waitFor(async () => {
    const ended = (await metrics()).counters.find(({ name }) => name === 'memory_insert_total');
    expect(ended?.labels).toMatchObject({ status: 'error', result: 'invalid_input' });
  }, soon);
  expect(await stages()).not.toContain('enrich');
});

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createMetrics, prometheusText } from '../../src/observability/metrics.js';
import { aConversation } from '../support/conversation.js';
import { aService } from '../support/service.js';

describe('prometheusText', () => {
  it('writes counters, histograms and gauges, family by family', () => {
    const metrics = createMetrics();
    metrics.count('memory_insert_total', { status: 'a"b\\c\nd' });
    metrics.duration('memory_embedding_duration_ms', 3, { provider: 'local' });
    const text = prometheusText(metrics.snapshot(), [{ name: 'memory_vector_rows', labels: {}, value: 2 }]);
    const wanted = /memory_(embedding_duration_ms|insert_total|vector_rows)|^$/;
    const lines = text.split('\n').filter((line) => wanted.test(line) && !/le="(?!2"|5"|\+Inf")/.test(line));
    expect(lines).toEqual([
      '# HELP memory_embedding_duration_ms Duration of calls to the embedder, in milliseconds.',
      '# TYPE memory_embedding_duration_ms histogram',
      'memory_embedding_duration_ms_bucket{provider="local",le="2"} 0',
      'memory_embedding_duration_ms_bucket{provider="local",le="5"} 1',
      'memory_embedding_duration_ms_bucket{provider="local",le="+Inf"} 1',
      'memory_embedding_duration_ms_sum{provider="local"} 3',
      'memory_embedding_duration_ms_count{provider="local"} 1',
      '# HELP memory_insert_total Inserts by outcome.',
      '# TYPE memory_insert_total counter',
      'memory_insert_total{status="a\\"b\\\\c\\nd"} 1',
      '# HELP memory_vector_rows Rows in the vector store.',
      '# TYPE memory_vector_rows gauge',
      'memory_vector_rows 2',
      '',
    ]);
  });
});

describe('GET /metrics', () => {
  it('describes every family before anything happened, and counts failures from 0', async () => {
    const service = await aService({ providers: { vector_db: 'lancedb' } });
    const text = String((await service.send('/metrics')).body.text);
    const named = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]);
    const page = await readFile(new URL('../../docs/observability.md', import.meta.url), 'utf8');
    const promised = [...page.matchAll(/^\| `(memory_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => [name, type]);
    expect(promised.length).toBeGreaterThan(15);
    expect(named).toEqual(promised.sort());
    expect([...text.matchAll(/^# HELP (\w+) /gm)].map(([, name]) => name)).toEqual(named.map(([name]) => name));
    expect(text).toContain('memory_embedding_failures_total{provider="local",error_type="embedding_unavailable"} 0\n');
    expect(text).toContain(
      'memory_provider_fallback_total{requested_provider="lancedb",effective_provider="memory"} 0\n',
    );
  });

  it('reports the state of the service', async () => {
    const service = await aService();
    await service.insert(aConversation());
    const { status, headers, body } = await service.send('/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const lines = String(body.text).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'memory_insert_total{status="active",result="stored",deduplicated="false"} 1',
        'memory_vector_rows{provider="memory"} 2',
        'memory_health_mode{mode="ok"} 1',
        'memory_health_mode{mode="degraded"} 0',
        'memory_tokenizer_enabled 0',
        'memory_queued_chunks 0',
      ]),
    );
  });

  it('needs a token where there are tokens', async () => {
    const service = await aService({ api: { auth: 'bearer_token' } });
    expect((await service.send('/metrics')).status).toBe(401);
  });
});

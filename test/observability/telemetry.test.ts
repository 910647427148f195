import { describe, expect, it } from 'vitest';
import { aConversation } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aServer } from '../support/server.js';
import {
  aGrpcCollector,
  anHttpCollector,
  attributesAt,
  hexAt,
  messagesAt,
  type Received,
  textAt,
} from './collector.js';

const protocols = [
  { protocol: 'http/protobuf', collector: anHttpCollector, traces: '/v1/traces', metrics: '/v1/metrics' },
  {
    protocol: 'grpc',
    collector: aGrpcCollector,
    traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  },
] as const;

interface SentSpan {
  name: string;
  trace: string;
  id: string;
  parent: string;
  attributes: Record<string, string>;
}

function spansIn(received: readonly Received[], path: string): SentSpan[] {
  return received
    .filter((each) => each.path === path)
    .flatMap(({ fields }) => messagesAt(fields, 1, 2, 2))
    .map((span) => ({
      name: textAt(span, 5),
      trace: hexAt(span, 1),
      id: hexAt(span, 2),
      parent: hexAt(span, 4),
      attributes: attributesAt(span, 9),
    }));
}

const caller = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };

describe.each(protocols)('telemetry over $protocol', ({ protocol, collector, traces, metrics }) => {
  it('sends the spans of a request as one trace that continues the caller’s', async () => {
    const { endpoint, received } = await collector();
    const server = await aServer({ observability: { tracing: { enabled: true, endpoint, protocol } } });
    await fetch(`${server.url}/memory/insert`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${caller.trace}-${caller.span}-01` },
      body: JSON.stringify(aConversation()),
    });
    await server.close();
    const spans = spansIn(received, traces).filter(({ trace }) => trace === caller.trace);
    const [request] = spans.filter(({ name }) => name === 'http /memory/insert');
    expect(request).toMatchObject({
      parent: caller.span,
      attributes: { route: '/memory/insert', status_code: '200' },
    });
    const inside = spans.filter(({ parent }) => parent === request?.id).map(({ name }) => name);
    expect(inside).toEqual(
      expect.arrayContaining([
        'ingestion normalise',
        'ingestion validate_schema',
        'ingestion dedupe_lookup',
        'ingestion chunk',
        'ingestion metadata_insert',
        'embedding',
        'ingestion embedding',
        'ingestion vector_insert',
      ]),
    );
  });

  it('sends every kind of metric with its labels', async () => {
    const { endpoint, received } = await collector();
    const server = await aServer({ observability: { metrics: { enabled: true, endpoint, protocol } } });
    await server.post('/memory/insert', aConversation());
    await server.post('/memory/search', { query: 'bicycle' });
    await server.close();
    const reports = received.filter(({ path }) => path === metrics);
    const sent = messagesAt(reports.at(-1)?.fields ?? [], 1, 2, 2);
    const byName = new Map(sent.map((metric) => [textAt(metric, 1), metric]));
    const points = (name: string, kind: number, labels: number) =>
      messagesAt(byName.get(name) ?? [], kind, 1).map((point) => attributesAt(point, labels));
    expect(points('memory_insert_total', 7, 7)).toEqual([
      { status: 'active', result: 'stored', deduplicated: 'false' },
    ]);
    expect(points('memory_vector_search_duration_ms', 9, 9)).toEqual([{ provider: 'memory' }]);
    expect(points('memory_vector_rows', 5, 7)).toEqual([{ provider: 'memory' }]);
    expect(points('memory_health_mode', 5, 7)).toEqual([{ mode: 'ok' }, { mode: 'degraded' }, { mode: 'dry-run' }]);
    expect(points('memory_tokenizer_enabled', 5, 7)).toEqual([{}]);
    const resource = attributesAt(messagesAt(reports[0]?.fields ?? [], 1, 1)[0] ?? [], 1);
    expect(resource).toMatchObject({ 'service.name': 'threadkeep', 'deployment.environment.name': 'local' });
  });

  it('does not affect an operation when the collector refuses, and reports it', async () => {
    const { endpoint } = await collector(protocol === 'grpc' ? 14 : 503);
    const tracing = { enabled: true, endpoint, protocol };
    const server = await aServer({ observability: { tracing } });
    expect((await server.post('/memory/insert', aConversation())).status).toBe(200);
    const state = async () => {
      const body = (await (await fetch(`${server.url}/observability`)).json()) as {
        observability: { tracing: { failures: number; error_type?: string } };
      };
      return body.observability.tracing;
    };
    await expect.poll(state, soon).toMatchObject({ error_type: 'Error', exported: 0 });
  });
});

describe('telemetry', () => {
  it('does not wait for a collector that is not there', async () => {
    const tracing = { enabled: true, endpoint: 'http://127.0.0.1:9', protocol: 'grpc' } as const;
    const server = await aServer({ observability: { tracing, metrics: tracing } });
    expect((await server.post('/memory/insert', aConversation())).status).toBe(200);
    await server.close();
  });

  it('sends nothing of a trace that the caller or the ratio leaves out', async () => {
    const { endpoint, received } = await anHttpCollector();
    const server = await aServer({ observability: { tracing: { enabled: true, endpoint, sample_ratio: 0 } } });
    await server.post('/memory/search', { query: 'bicycle' });
    await server.close();
    expect(received).toEqual([]);
  });
});

import { renameSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Setting } from '../../src/config/load.js';
import type { MetricsSnapshot } from '../../src/observability/metrics.js';
import { aConversation } from '../support/conversation.js';
import { aServer } from '../support/server.js';
import { aService } from '../support/service.js';

const secret = 'sk-sentinel-4242';

describe('/health', () => {
  it('has the six flat fields, and the detail', async () => {
    const service = await aService();
    const { status, body } = await service.send('/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      mode: 'ok',
      metadata_provider: 'sqlite',
      vector_provider: 'memory',
      embedding_provider: 'local',
      telemetry_enabled: false,
      health: expect.objectContaining({
        mode: 'ok',
        reasons: [],
        requested_vector_provider: 'memory',
        vector_fallback_active: false,
        embedding: { provider: 'local', model: 'threadkeep-static-256', dimension: 256 },
        vector_index: { provider: 'memory', distance: 'cosine' },
      }),
    });
  });

  it('says dry-run, and degraded, in these words', async () => {
    const dry = await aService({ storage: { dry_run: true } });
    expect((await dry.send('/health')).body.mode).toBe('dry-run');
    const fallen = await aService({ providers: { vector_db: 'qdrant' } });
    expect((await fallen.send('/health')).body).toMatchObject({
      mode: 'degraded',
      vector_provider: 'memory',
      health: {
        vector_fallback_active: true,
        requested_vector_provider: 'qdrant',
        reasons: [expect.stringContaining('qdrant')],
      },
    });
  });
});

describe('/ready', () => {
  it('has the six flat fields and the checks', async () => {
    const service = await aService({ providers: { vector_db: 'lancedb' } });
    const { status, body } = await service.send('/ready');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(Object.keys((await service.send('/health')).body).sort());
    expect(body).toMatchObject({
      status: 'ok',
      mode: 'ok',
      vector_provider: 'lancedb',
      health: { checks: { metadata: 'ok', vectors: 'ok', embedding: 'ok' } },
    });
  });

  // Reference bug 43: it never said that it was not ready.
  it('is 503 while the vector store does not answer', async () => {
    const service = await aService({ providers: { vector_db: 'lancedb' } }, { inFolder: true });
    await service.insert(aConversation());
    await service.vectorRows();
    await rm(join(service.folder, 'data', 'vectors'), { recursive: true });
    const { status, body } = await service.send('/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: 'unavailable',
      health: { checks: { metadata: 'ok', vectors: 'unavailable' } },
    });
    expect((await service.send('/health')).status).toBe(200);
  });

  it('is 503 while the metadata store does not answer', async () => {
    const service = await aService();
    await service.runtime.close();
    const { status, body } = await service.send('/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'unavailable', health: { checks: { metadata: 'unavailable' } } });
  });

  it.skipIf(process.platform === 'win32').each([
    ['moved away', (file: string) => renameSync(file, `${file}.away`)],
    ['overwritten', (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size, 'Z'), { flag: 'r+' })],
  ])('is 503 while the files of the metadata store are %s, though pages that were read answer', async (_, destroy) => {
    const service = await aService({}, { inFolder: true });
    await service.insert(aConversation());
    expect((await service.send('/ready')).status).toBe(200);
    const data = join(service.folder, 'data');
    for (const name of ['metadata.sqlite3', 'metadata.sqlite3-wal']) destroy(join(data, name));
    // Liveness stays, and both pages tell the same mode, whichever is asked first.
    const degraded = {
      mode: 'degraded',
      health: { mode: 'degraded', reasons: ['the metadata store does not answer'] },
    };
    expect(await service.send('/health')).toMatchObject({ status: 200, body: { status: 'ok', ...degraded } });
    expect(await service.send('/ready')).toMatchObject({ status: 503, body: degraded });
    for (const failures of [1, 1]) {
      expect(await service.send('/ready')).toMatchObject({
        status: 503,
        body: {
          status: 'unavailable',
          health: { checks: { metadata: 'unavailable', vectors: 'ok' }, dependencies: { metadata: { failures } } },
        },
      });
    }
  });

  it('asks the embedding service only when that is configured', async () => {
    const providers = { embeddings: 'http', embedding_model: 'm', embedding_dimension: 8 } as const;
    const nowhere = {
      embedding_endpoint: { base_url: 'http://127.0.0.1:9/v1' },
      embeddings: { max_retries: 0 },
      providers,
    };
    const trusting = await aService(nowhere);
    expect(await trusting.send('/ready')).toMatchObject({
      status: 200,
      body: { health: { checks: { embedding: 'ok' } } },
    });
    // What the last call met is known without another one; inserts and keywords work all the same.
    await trusting.insert(aConversation());
    expect(await trusting.send('/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', health: { checks: { embedding: 'failing' } } },
    });
    const probing = await aService({ ...nowhere, observability: { embedding_readiness_probe: true } });
    expect(await probing.send('/ready')).toMatchObject({
      status: 503,
      body: { health: { checks: { embedding: 'unavailable' } } },
    });
  });
});

describe('/observability', () => {
  it('tells settings and counters, and no secret', async () => {
    const server = await aServer({
      providers: { embeddings: 'http', embedding_model: 'm', embedding_dimension: 8, vector_db: 'memory' },
      embedding_endpoint: { base_url: 'http://127.0.0.1:9/v1', api_key: secret },
      embeddings: { max_retries: 0 },
      storage: { vector_providers: { qdrant: { url: 'http://127.0.0.1:6333', api_key: secret } } },
    });
    await server.post('/memory/search', { query: 'x' });
    const body = (await (await fetch(`${server.url}/observability`)).json()) as { metrics: MetricsSnapshot };
    expect(body).toMatchObject({
      status: 'ok',
      runtime: {
        mode: 'ok',
        metadata_provider: 'sqlite',
        vector_provider: 'memory',
        auth_mode: 'none',
        interfaces: { api: true, mcp: true },
        storage: { dry_run: false, vector_fallback_allowed: true },
        dependencies: {
          metadata: { circuit: 'closed', failures: 0, unanswered: 0 },
          vectors: { circuit: 'closed', failures: 0, unanswered: 0 },
          embedding: { circuit: 'closed', failures: 1, unanswered: 0 },
        },
      },
      observability: {
        service_name: 'threadkeep',
        request_id_header: 'x-request-id',
        debug_payloads: false,
        tracing: { enabled: false },
        metrics: { enabled: false },
        telemetry_enabled: false,
      },
    });
    expect(body).toHaveProperty('history', []);
    expect(body.metrics.counters).toContainEqual({
      name: 'memory_api_requests_total',
      labels: { route: '/memory/search', status_code: '200' },
      value: 1,
    });
    for (const path of ['/observability', '/health', '/ready']) {
      expect(await (await fetch(`${server.url}${path}`)).text()).not.toContain(secret);
    }
  });
});

describe('/config', () => {
  it('tells every setting with its value, and no secret', async () => {
    const server = await aServer({
      embedding_endpoint: { api_key: secret },
      storage: { vector_providers: { qdrant: { url: 'http://127.0.0.1:6333', api_key: secret } } },
    });
    const text = await (await fetch(`${server.url}/config`)).text();
    expect(text).not.toContain(secret);
    const { status, settings } = JSON.parse(text) as { status: string; settings: Setting[] };
    expect(status).toBe('ok');
    const keyed = new Map(settings.map((setting) => [setting.key, setting]));
    expect(keyed.get('embedding_endpoint.api_key')).toMatchObject({
      secret: true,
      value: expect.stringMatching(/^\*+$/),
    });
    expect(keyed.get('storage.vector_providers.qdrant.url')).toMatchObject({ in_use: false });
    expect(keyed.get('api.host')).toMatchObject({ value: '127.0.0.1', in_use: true, needs_restart: true });
  });
});

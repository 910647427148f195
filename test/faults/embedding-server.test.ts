import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConfigInput } from '../../src/config/schema.js';
import { type ReceivedRequest, silence, startEmbeddingServer, well } from '../embeddings/embedding-server.js';
import { aNote, invented } from '../support/conversation.js';
import { aCuttingProxy } from '../support/cutting-proxy.js';
import { soon } from '../support/patience.js';
import { aService, type TestService } from '../support/service.js';

async function behindProxy() {
  const model = await startEmbeddingServer({ dimension: 8 });
  onTestFinished(model.close);
  const proxy = await aCuttingProxy({ port: Number(new URL(model.baseUrl).port) });
  const overrides: ConfigInput = {
    providers: { embeddings: 'http', embedding_model: 'm', embedding_dimension: 8, vector_db: 'lancedb' },
    embedding_endpoint: { base_url: `http://127.0.0.1:${proxy.port}/v1` },
    embeddings: { max_retries: 1 },
    circuit: { failures: 3, pause_ms: 300 },
  };
  return { model, proxy, overrides };
}

const insert = (service: TestService, number: number) =>
  service.request('/memory/insert', aNote(`${invented(number, 6)} n${number}`));

async function embeddingState(service: TestService): Promise<{ circuit: string }> {
  const { body } = await service.send('/ready');
  return (body.health as { dependencies: { embedding: { circuit: string } } }).dependencies.embedding;
}

/** Refuses, as servers do with a text beyond their context, every request that holds such a text. */
function picky(response: ServerResponse, request: ReceivedRequest): void {
  const tooLong = request.body.input.some((text) => text.includes('interminable'));
  if (tooLong) response.writeHead(400).end();
  else well(8)(response, request);
}

describe('an embedding server that refuses a text', () => {
  it('has the others indexed, of the same conversation and of those that waited', async () => {
    const { model, proxy, overrides } = await behindProxy();
    const service = await aService(overrides);
    model.always(picky);
    const turns = ['The kite is red.', 'An interminable letter.', 'The heron is grey.'];
    const messages = turns.map((text) => ({ role: 'user', text }));
    const { body } = await service.request('/memory/insert', { source: 'test', messages });
    expect(body).toMatchObject({ embedded_chunks: 2, indexing: 'pending' });
    const { records, indexer } = service.service;
    // Vectors are written, and their chunks marked, behind the insert.
    await expect.poll(() => records.chunks.countInState('pending'), soon).toBe(1);
    await proxy.cut();
    for (let number = 1; number < 5; number++) await insert(service, number);
    expect(await records.chunks.countInState('pending')).toBe(5);
    await proxy.restore();
    await expect.poll(() => records.chunks.countInState('pending'), soon).toBe(1);
    await indexer.settled();
    expect(indexer.state()).toEqual({ running: false, failures: 0, refused_chunks: 1 });
    const asked = model.requests.length;
    indexer.poke();
    await indexer.settled();
    expect(model.requests.length, 'it rests for a while').toBe(asked);

    model.always(well(8));
    await indexer.catchUp();
    expect(await records.chunks.countInState('pending')).toBe(0);
    expect(indexer.state()).toEqual({ running: false, failures: 0 });
  });

  it('is not asked text by text when it refuses every one, and /ready tells', async () => {
    const { model, overrides } = await behindProxy();
    const service = await aService(overrides);
    model.always((response) => response.writeHead(400).end());
    const messages = Array.from({ length: 40 }, (_, number) => ({ role: 'user', text: `${invented(number, 6)}.` }));
    const { body } = await service.request('/memory/insert', { source: 'test', messages });
    expect(body).toMatchObject({ embedded_chunks: 0, indexing: 'pending' });
    // Each with and without a dimension: the batch and one word, now and once more by the background.
    expect(model.requests.length).toBeLessThanOrEqual(8);
    expect((await service.send('/ready')).body).toMatchObject({ health: { checks: { embedding: 'failing' } } });
  });
});

describe('an embedding server that is killed', () => {
  it('in the middle of a request costs the insert only its vectors, and only for a while', async () => {
    const { model, proxy, overrides } = await behindProxy();
    const service = await aService(overrides);
    expect((await insert(service, 1)).body).toMatchObject({ embedded_chunks: 1 });
    model.always(silence);
    const inserting = insert(service, 2);
    await expect.poll(() => model.requests.length, soon).toBe(2);
    await proxy.cut();
    expect(await inserting).toMatchObject({ status: 200, body: { embedded_chunks: 0, indexing: 'pending' } });
    for (let number = 3; number < 8; number++) {
      expect(await insert(service, number)).toMatchObject({ status: 200, body: { indexing: 'pending' } });
    }
    await expect.poll(async () => (await embeddingState(service)).circuit, soon).not.toBe('closed');
    const { body } = await service.request('/memory/search', { query: invented(5, 6) });
    expect(body).toMatchObject({ diagnostics: { embedding: 'unavailable', retrieval: 'keywords' } });
    expect((body.results as object[]).length).toBeGreaterThan(0);

    model.always(well(8));
    await proxy.restore();
    const { records } = service.service;
    await expect.poll(() => records.chunks.countInState('pending'), soon).toBe(0);
    expect(await service.vectorRows()).toBe(7);
    expect(await embeddingState(service)).toEqual({ circuit: 'closed', failures: 0, unanswered: 0 });
    expect((await service.request('/memory/search', { query: invented(5, 6) })).body).not.toHaveProperty('diagnostics');
  });

  it('before the start does not keep the service from starting', async () => {
    const { proxy, overrides } = await behindProxy();
    await proxy.cut();
    const service = await aService(overrides);
    expect((await insert(service, 1)).body).toMatchObject({ indexing: 'pending' });
    await proxy.restore();
    await expect.poll(() => service.service.records.chunks.countInState('pending'), soon).toBe(0);
  });

  it('is not called repeatedly while it fails', async () => {
    const { model, overrides } = await behindProxy();
    const service = await aService({ ...overrides, circuit: { failures: 3, pause_ms: 60_000 } });
    model.always((response) => response.writeHead(500).end());
    for (let number = 0; number < 20; number++) {
      expect((await insert(service, number)).body).toMatchObject({ indexing: 'pending' });
    }
    // The background asks as well, and both may have asked before the third failure was known.
    expect(model.requests.length).toBeLessThan(6);
    const { body } = await service.send('/metrics');
    expect(String(body.text)).toContain('memory_circuit_open{dependency="embedding"} 1');
  });
});

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddingServer, status, well } from '../embeddings/embedding-server.js';
import { aConversation, aNote } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aFolder, aService, idsOf, startService } from '../support/service.js';

async function withEmbeddingServer() {
  const server = await startEmbeddingServer({ dimension: 8 });
  onTestFinished(server.close);
  const overrides = {
    providers: { embeddings: 'http', embedding_model: 'm', embedding_dimension: 8, vector_db: 'lancedb' },
    embedding_endpoint: { base_url: server.baseUrl },
    embeddings: { max_retries: 0 },
  } as const;
  return { server, overrides };
}

// Reference bug 41: an embedding outage failed inserts and searches.
describe('while the embedding service is down', () => {
  it('an insert is kept, a search answers by keywords, and the index is finished afterwards', async () => {
    const { server, overrides } = await withEmbeddingServer();
    const service = await aService(overrides);
    const early = await service.insert(aNote('The bicycle is in the shed'));
    server.always(status(500));
    const outcome = await service.insert(aConversation());
    expect(outcome).toMatchObject({
      status: 'ok',
      memory_status: 'active',
      embedded_chunks: 0,
      chunks: 2,
      indexing: 'pending',
    });
    const again = await service.insert(aConversation());
    expect(again).toMatchObject({ id: outcome.id, deduplicated: true, embedded_chunks: 0, indexing: 'pending' });

    const answer = await service.search({ query: 'bicycle' });
    expect(answer.diagnostics).toEqual({ embedding: 'unavailable', retrieval: 'keywords' });
    expect(new Set(idsOf(answer))).toEqual(new Set([early.id, outcome.id]));
    expect(answer.results[0]).toMatchObject({ score: 1 });

    server.always(well(8));
    const { records } = service.service;
    await expect.poll(() => records.chunks.countInState('pending'), soon).toBe(0);
    expect(await service.vectorRows()).toBe(3);
    expect(await service.search({ query: 'bicycle' })).not.toHaveProperty('diagnostics');
    expect(await service.insert(aConversation())).toMatchObject({ deduplicated: true, embedded_chunks: 0, chunks: 2 });
  });

  it('what was not finished is finished after the next start', async () => {
    const { server, overrides } = await withEmbeddingServer();
    const folder = await aFolder();
    server.always(status(503));
    const before = await startService(overrides, { folder });
    await before.insert(aConversation());
    await before.close();
    server.always(well(8));
    const service = await aService(overrides, { folder });
    await service.service.indexer.settled();
    expect(await service.vectorRows()).toBe(2);
    expect(await service.service.records.chunks.countInState('pending')).toBe(0);
  });

  it('sending it again afterwards finishes it at once', async () => {
    const { server, overrides } = await withEmbeddingServer();
    const folder = await aFolder();
    server.always(status(500));
    const service = await aService({ ...overrides, storage: { allow_trusted_appends: true } }, { folder });
    const { id } = await service.insert(aConversation());
    server.always(well(8));
    const again = await service.insert(aConversation());
    expect(again).toMatchObject({ id, deduplicated: true });
    await service.service.indexer.settled();
    expect(await service.vectorRows()).toBe(2);
  });

  it('a search without keywords says what is missing', async () => {
    const { server, overrides } = await withEmbeddingServer();
    const service = await aService({ ...overrides, retrieval: { keyword_enabled: false } });
    server.always(status(500));
    expect(await service.request('/memory/search', { query: 'bicycle' })).toMatchObject({
      status: 503,
      body: { error_code: 'embedding_unavailable' },
    });
  });
});

describe('while the vector store is down', () => {
  it('an insert is kept, a search reports it instead of finding nothing, and the index is finished afterwards', async () => {
    const service = await aService({ providers: { vector_db: 'lancedb' } }, { inFolder: true });
    const first = await service.insert(aNote('The bicycle is in the shed'));
    expect(await service.vectorRows()).toBe(1);
    const vectors = join(service.folder, 'data', 'vectors');
    await rename(vectors, `${vectors}-away`);
    const second = await service.insert(aConversation());
    expect(second).toMatchObject({ status: 'ok', memory_status: 'active', chunks: 2 });
    expect(await service.request('/memory/search', { query: 'bicycle' })).toMatchObject({
      status: 503,
      body: { error_code: 'vector_unavailable' },
    });
    expect((await service.request('/memory/retrieve', { id: second.id })).status).toBe(200);
    expect(await service.service.records.chunks.countInState('pending')).toBe(2);

    await rename(`${vectors}-away`, vectors);
    await expect.poll(() => service.service.records.chunks.countInState('pending'), soon).toBe(0);
    expect(await service.vectorRows()).toBe(3);
    const found = idsOf(await service.search({ query: 'bicycle', result_mode: 'conversations' }));
    expect(new Set(found)).toEqual(new Set([first.id, second.id]));
  });
});

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { repairIndex } from '../../src/indexing/reindex.js';
import { startEmbeddingServer } from '../embeddings/embedding-server.js';
import { aConversation, aNote } from '../support/conversation.js';
import { aService } from '../support/service.js';

it('makes lost vectors again, removes those that must not be there, and then finds nothing to do', async () => {
  const service = await aService({ providers: { vector_db: 'lancedb' } });
  const { id } = await service.insert(aConversation());
  const { id: other } = await service.insert(aNote('The kite is red.'));
  await service.service.vectors.settled();
  const { records } = service.service;
  const { store } = service.runtime.vectors;
  const lost = await records.chunks.ofConversation(id);
  await store.remove(lost.slice(0, 1).map((chunk) => chunk.id));
  const hidden = await records.chunks.ofConversation(other);
  await records.chunks.mark(
    hidden.map((chunk) => chunk.id),
    'held',
  );
  const dimension = service.config.providers.embeddingDimension;
  expect(await repairIndex(service.service, store, dimension)).toEqual({
    reindexed_chunks: 1,
    removed_chunks: 1,
    removed_vectors: 0,
    stray_vectors: 0,
    pending_chunks: 0,
  });
  expect(await repairIndex(service.service, store, dimension)).toEqual({
    reindexed_chunks: 0,
    removed_chunks: 0,
    removed_vectors: 0,
    stray_vectors: 0,
    pending_chunks: 0,
  });
  expect(await store.count()).toBe(2);
});

it('finds orphaned vectors and duplicate rows', async () => {
  const service = await aService({ providers: { vector_db: 'lancedb' } });
  await service.insert(aConversation());
  expect(await service.vectorRows()).toBe(2);
  const { store } = service.runtime.vectors;
  const dimension = service.config.providers.embeddingDimension;
  const vector = new Float32Array(dimension).fill(0.1);
  const stray = { id: randomUUID(), vector, scope: 'project:local-default', conversationId: randomUUID() };
  await store.upsert([stray]);
  const [chunk] = await service.service.records.chunks.inState('indexed', { limit: 1 });
  if (chunk === undefined) throw new Error('nothing is indexed');
  const { id, scope, conversation_id: conversationId } = chunk;
  await store.upsert([{ id, vector, scope, conversationId }], { fresh: true });
  const nothing = { reindexed_chunks: 0, removed_chunks: 0, removed_vectors: 0, stray_vectors: 0, pending_chunks: 0 };
  const mended = { ...nothing, reindexed_chunks: 1, removed_vectors: 1 };
  expect(await repairIndex(service.service, store, dimension)).toEqual(mended);
  expect(await repairIndex(service.service, store, dimension)).toEqual(nothing);
  expect(await store.count()).toBe(2);
});

it('finds them also in a store that gives rows only to those who search', async () => {
  const service = await aService({ providers: { vector_db: 'lancedb' } });
  await service.insert(aConversation());
  expect(await service.vectorRows()).toBe(2);
  const { ids: _, ...store } = service.runtime.vectors.store;
  const dimension = service.config.providers.embeddingDimension;
  const vector = new Float32Array(dimension).fill(0.1);
  await store.upsert([{ id: randomUUID(), vector, scope: 'project:local-default', conversationId: randomUUID() }]);
  expect(await repairIndex(service.service, store, dimension)).toMatchObject({ removed_vectors: 1, stray_vectors: 0 });
  expect(await store.count()).toBe(2);
});

it('ends when the model is down, and reports what is pending and why', async () => {
  const model = await startEmbeddingServer({ dimension: 8 });
  const service = await aService({
    providers: { embeddings: 'http', embedding_model: 'm', embedding_dimension: 8, vector_db: 'lancedb' },
    embedding_endpoint: { base_url: model.baseUrl },
    embeddings: { max_retries: 0 },
  });
  await service.insert(aNote('The kite is red.'));
  await service.service.vectors.settled();
  await model.close();
  const { store } = service.runtime.vectors;
  const [chunk] = await service.service.records.chunks.inState('indexed', { limit: 1 });
  await store.remove([String(chunk?.id)]);
  expect(await repairIndex(service.service, store, 8)).toMatchObject({
    reindexed_chunks: 1,
    pending_chunks: 1,
    reason: expect.stringContaining('The embedding endpoint could not be reached'),
  });
});

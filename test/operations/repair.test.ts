import { expect, it } from 'vitest';
import { repairIndex } from '../../src/operations/repair.js';
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
  const dimension = service.config.providers.embedding_dimension;
  expect(await repairIndex(service.service, store, dimension)).toEqual({
    reindexed_chunks: 1,
    removed_chunks: 1,
    stray_vectors: 0,
  });
  expect(await repairIndex(service.service, store, dimension)).toEqual({
    reindexed_chunks: 0,
    removed_chunks: 0,
    stray_vectors: 0,
  });
  expect(await store.count()).toBe(2);
});

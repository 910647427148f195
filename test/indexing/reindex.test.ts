import { expect, it } from 'vitest';
import { reindex } from '../../src/indexing/reindex.js';
import type { Change } from '../../src/stores/metadata/contract.js';
import { aConversation, aNote } from '../support/conversation.js';
import { changes, meanwhile } from '../support/meanwhile.js';
import { aFolder, aService, idsOf } from '../support/service.js';
import { aSlowModel } from '../support/slow-model.js';

const review = { memory: { insert_policy: 'review_pending' } } as const;
const onFiles = { providers: { vector_db: 'lancedb' } } as const;

it('does not hide again what is approved while it is at work', async () => {
  const moment = meanwhile();
  const service = await aService(review, { around: moment.around });
  const { id } = await service.insert(aConversation());
  moment.before(changes('put', 'chunks'), () => service.request('/memory/pending/approve', { id }));
  expect(await reindex(service.service, { includeInactive: true })).toMatchObject({ status: 'ok', reindexed: 1 });
  const chunks = await service.service.records.chunks.ofConversation(id);
  expect(chunks.map(({ scope }) => scope)).toEqual(Array(2).fill('project:local-default'));
  expect(idsOf(await service.search({ query: 'bicycle', result_mode: 'conversations' }))).toEqual([id]);
});

it('does not bring back the facts of what is forgotten while it is at work', async () => {
  const folder = await aFolder();
  const server = await aService(onFiles, { folder });
  const { id } = await server.insert(aNote('I am allergic to peanuts.'));
  await server.insert(aNote('I live in Lisbon.'));
  await server.service.vectors.settled();
  const moment = meanwhile();
  const command = await aService(onFiles, { folder, around: moment.around });
  const statesIt = (all: readonly Change[]) => all.some(({ table }) => table === 'fact_groups');
  moment.before(statesIt, () => server.request('/memory/forget', { ids: [id], dry_run: false }));
  expect(await reindex(command.service, { includeInactive: false })).toMatchObject({
    status: 'ok',
    reindexed: 1,
    skipped: 1,
    failed: 0,
  });
  const { body } = await server.request('/memory/facts/search', {});
  expect(body.results).toMatchObject([{ object_normalized: 'Lisbon' }]);
  await command.service.vectors.settled();
  expect(await server.vectorRows()).toBe(1);
});

it('leaves the vectors of what is approved while it is at work where a search looks', async () => {
  const model = aSlowModel();
  const service = await aService({ ...review, ...onFiles }, { around: model.around });
  const { id } = await service.insert(aConversation());
  const working = reindex(service.service, { includeInactive: true });
  await model.asked;
  await service.request('/memory/pending/approve', { id });
  await service.service.vectors.settled();
  model.answer();
  await working;
  service.service.indexer.poke();
  await service.service.indexer.settled();
  const [vector = new Float32Array()] = await service.service.embedder.embed(['bicycle']);
  const where = { scopes: ['project:local-default'] };
  expect(await service.runtime.vectors.store.search(vector, { limit: 9, where })).toHaveLength(2);
});

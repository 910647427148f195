import { describe, expect, it } from 'vitest';
import { scanFiles } from '../../../src/app/verify-forgotten.js';
import { aConversation, turns } from '../../support/conversation.js';
import { changes, meanwhile } from '../../support/meanwhile.js';
import { aService } from '../../support/service.js';
import { aSlowModel } from '../../support/slow-model.js';

const canary = 'zyxwquokka-canary-4711';
const base = ['Where is the bicycle?', 'It is in the shed.'];
const capture = (...texts: string[]) =>
  aConversation({ messages: turns(...texts), metadata: { upstream_thread_id: 't1', tags: ['private'] } });

const appending = { storage: { allow_trusted_appends: true } };
const removal = changes('remove', 'conversations');

it('takes turns that are added while it is at work', async () => {
  const moment = meanwhile();
  const service = await aService(appending, { around: moment.around, inFolder: true });
  const { id } = await service.insert(capture(...base));
  moment.before(removal, async () => {
    const grown = await service.insert(capture(...base, `The code is ${canary}.`, 'Noted.'));
    expect(grown).toMatchObject({ id, appended_messages: 2 });
  });
  const { body } = await service.request('/memory/forget', { ids: [id], dry_run: false });
  expect(body).toMatchObject({ conversations: 1, messages: 4, chunks: 4 });
  const left = await service.service.records.conversations.messagesOf([id]);
  expect(left.get(id)).toEqual([]);
  expect(await service.service.records.chunks.ofConversation(id)).toEqual([]);
  expect(await service.vectorRows()).toBe(0);
  expect((await scanFiles(service.config.paths.dataDir, [canary])).found).toEqual([]);
});

it('leaves what is no longer meant, whole', async () => {
  const moment = meanwhile();
  const service = await aService({ providers: { vector_db: 'lancedb' } }, { around: moment.around, inFolder: true });
  const { id } = await service.insert(capture(...base));
  await service.service.vectors.settled();
  moment.before(removal, () => service.request('/memory/conversations/update', { id, remove_tags: ['private'] }));
  const { body } = await service.request('/memory/forget', { tags: ['private'], dry_run: false });
  expect(body).toMatchObject({ conversations: 0, messages: 0, chunks: 0, facts: 0, examples: [] });
  expect((await service.request('/memory/retrieve', { id })).status).toBe(200);
  await service.service.indexer.settled();
  expect(await service.vectorRows()).toBe(2);
});

it('counts what another forgetting took first as gone, and not twice', async () => {
  const moment = meanwhile();
  const service = await aService({}, { around: moment.around, inFolder: true });
  const { id } = await service.insert(capture(...base));
  const request = { ids: [id], dry_run: false };
  moment.before(removal, () => service.request('/memory/forget', request));
  expect((await service.request('/memory/forget', request)).body).toMatchObject({ status: 'ok', conversations: 0 });
  expect((await service.request('/memory/retrieve', { id })).status).toBe(404);
});

describe('an insert that waits for its vectors meanwhile', () => {
  const onFiles = { providers: { vector_db: 'lancedb' } } as const;

  it('does not bring them back afterwards', async () => {
    const model = aSlowModel();
    const service = await aService(onFiles, { around: model.around, inFolder: true });
    const inserting = service.insert(capture(...base));
    await model.asked;
    await service.request('/memory/forget', { tags: ['private'], dry_run: false });
    model.answer();
    const { id } = await inserting;
    expect((await service.request('/memory/retrieve', { id })).status).toBe(404);
    expect(await service.vectorRows()).toBe(0);
  });

  it('does not slip them in before its rows go', async () => {
    const model = aSlowModel();
    const moment = meanwhile();
    const service = await aService(onFiles, { around: { ...model.around, ...moment.around }, inFolder: true });
    const inserting = service.insert(capture(...base));
    await model.asked;
    moment.before(removal, async () => {
      model.answer();
      await inserting;
      expect(await service.vectorRows()).toBe(2);
    });
    const { body } = await service.request('/memory/forget', { tags: ['private'], dry_run: false });
    expect(body).toMatchObject({ conversations: 1, chunks: 2 });
    expect(await service.vectorRows()).toBe(0);
  });
});

it('reports that others keep writing it', async () => {
  const moment = meanwhile();
  const service = await aService({}, { around: moment.around, inFolder: true });
  const { id } = await service.insert(capture(...base));
  let writes = 0;
  const again = async (): Promise<void> => {
    moment.before(removal, again);
    await service.request('/memory/conversations/update', { id, title: `Title ${writes++}` });
  };
  moment.before(removal, again);
  const answer = await service.request('/memory/forget', { ids: [id], dry_run: false });
  expect(answer).toMatchObject({ status: 409, body: { error_code: 'duplicate_conflict' } });
  expect((await service.request('/memory/retrieve', { id })).status).toBe(200);
  moment.before(
    () => false,
    async () => {},
  );
  expect((await service.request('/memory/forget', { ids: [id], dry_run: false })).body).toMatchObject({
    conversations: 1,
  });
});

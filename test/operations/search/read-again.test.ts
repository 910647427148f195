import { expect, it } from 'vitest';
import { aNote, turns } from '../../support/conversation.js';
import { aFolder, aService, type TestService } from '../../support/service.js';

/*
 * A search keeps the conversations and messages that it read (issue 25). What it shows must be what is stored at the time
 * of the search, no matter which process changed it.
 */

const canoe = aNote('the canoe leaks', { title: 'Boats', timestamp: '2026-03-01T10:00:00Z' });

interface Shown {
  id: string;
  text: string;
  timestamp: string;
  conversation: { title?: string; metadata: { tags?: string[] } };
}

async function found(service: TestService, input: object = {}): Promise<Shown[]> {
  return (await service.search({ query: 'canoe', ...input })).results as unknown as Shown[];
}

it('shows a title and tags that were changed since the last search', async () => {
  const service = await aService();
  const { id } = await service.insert(canoe);
  expect((await found(service))[0]?.conversation.title).toBe('Boats');
  await service.request('/memory/conversations/update', { id, title: 'Repairs', add_tags: ['summer'] });
  const [hit] = await found(service);
  expect([hit?.conversation.title, hit?.conversation.metadata.tags]).toEqual(['Repairs', ['summer']]);
});

it('shows times that were learned since the last search', async () => {
  const service = await aService();
  const untimed = { timestamp: '2026-03-01T10:00:00Z', messages: turns('the canoe leaks') };
  await service.insert(untimed);
  expect((await found(service))[0]?.timestamp).toBe('2026-03-01T10:00:00Z');
  const timestamp = '2026-02-03T08:00:00Z';
  await service.insert({ ...untimed, messages: turns('the canoe leaks').map((turn) => ({ ...turn, timestamp })) });
  expect((await found(service))[0]?.timestamp).toBe(timestamp);
});

it('shows the words that now have the id of a forgotten conversation', async () => {
  const service = await aService();
  const id = '5f0c8d2e-4a1b-4c3d-8e9f-0a1b2c3d4e5f';
  await service.insert({ ...canoe, id });
  expect((await found(service)).map(({ text }) => text)).toEqual(['the canoe leaks']);
  await service.request('/memory/forget', { ids: [id], dry_run: false });
  expect(await found(service)).toEqual([]);
  await service.insert({ ...aNote('the canoe was sold'), id });
  expect((await found(service)).map((hit) => [hit.id, hit.text])).toEqual([[id, 'the canoe was sold']]);
});

it('shows what another process changed', async () => {
  const folder = await aFolder();
  const service = await aService({}, { folder });
  const { id } = await service.insert(canoe);
  expect((await found(service))[0]?.conversation.title).toBe('Boats');
  const other = await aService({}, { folder });
  await other.request('/memory/conversations/update', { id, title: 'Repairs' });
  expect((await found(service))[0]?.conversation.title).toBe('Repairs');
});

it('keeps its own copy of what it gave away', async () => {
  const service = await aService();
  await service.insert({ ...canoe, metadata: { tags: ['summer'] } });
  await found(service);
  (await found(service))[0]?.conversation.metadata.tags?.push('mine');
  expect((await found(service))[0]?.conversation.metadata.tags).toEqual(['summer']);
});

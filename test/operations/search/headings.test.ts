import { describe, expect, it } from 'vitest';
import { aNote, turns } from '../../support/conversation.js';
import { aService, idsOf, type TestService } from '../../support/service.js';

const giraffe = aNote('A tall animal with spots.', { title: 'Giraffe' });

/** More turns than a search looks at by their vectors. */
async function zebras(service: TestService): Promise<void> {
  const walking = Array.from({ length: 40 }, (_, number) => `Zebra number ${number} walks.`);
  await service.insert({ source: 'chatgpt', messages: turns(...walking) });
}

async function first(service: TestService, query: string, more: object = {}): Promise<string | undefined> {
  return idsOf(await service.search({ query, top_k: 3, ...more }))[0];
}

describe('what a conversation is called', () => {
  it.each([
    ['its title', aNote('A tall animal with spots.', { title: 'Giraffe' }), 'giraffe'],
    ['a tag', aNote('We moved it.', { metadata: { tags: ['infra-q3'] } }), 'infra-q3'],
    ['its summary', aNote('We take the ferry.', { metadata: { summary: 'To the quokkas of Rottnest' } }), 'quokka'],
  ])('finds it: %s', async (_, conversation, query) => {
    const service = await aService();
    await zebras(service);
    const { id } = await service.insert(conversation);
    expect(await first(service, query)).toBe(id);
  });

  it('is found after it was renamed or tagged, and no longer by its old name', async () => {
    const service = await aService();
    await zebras(service);
    const { id } = await service.insert(giraffe);
    await service.request('/memory/conversations/update', { id, title: 'Okapi', add_tags: ['forest'] });
    expect(await first(service, 'okapi')).toBe(id);
    expect(await first(service, 'forest')).toBe(id);
    expect(await first(service, 'giraffe')).not.toBe(id);
  });

  it('is hidden as long as its memory is, and follows the decision', async () => {
    const service = await aService({ memory: { insert_policy: 'review_pending' } });
    await service.insert({ source: 'chatgpt', messages: turns('Zebra.'), metadata: { save_intent: 'user_confirmed' } });
    const { id } = await service.insert(giraffe);
    const { id: other } = await service.insert(aNote('A dwarf of the woods.', { title: 'Okapi' }));
    expect(await first(service, 'giraffe')).not.toBe(id);
    expect(await first(service, 'giraffe', { memory_status: 'pending_review' })).toBe(id);
    await service.request('/memory/pending/approve', { id });
    await service.request('/memory/pending/reject', { id: other });
    expect(await first(service, 'giraffe')).toBe(id);
    expect(await first(service, 'okapi')).not.toBe(other);
    expect(await first(service, 'okapi', { memory_status: 'rejected' })).toBe(other);
  });

  it('is not indexed before its approval when it holds a secret', async () => {
    const service = await aService({ memory: { secret_policy: 'quarantine' } });
    const key = ['sk-', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('');
    const { id } = await service.insert(aNote(`It is ${key}.`, { title: 'Giraffe' }));
    expect(await first(service, 'giraffe', { memory_status: 'pending_review' })).toBeUndefined();
    await service.request('/memory/pending/approve', { id });
    expect(await first(service, 'giraffe')).toBe(id);
  });

  it('is no longer found when a secret is added to a memory that waits for review', async () => {
    const service = await aService({
      memory: { secret_policy: 'quarantine', insert_policy: 'review_pending' },
      storage: { allow_trusted_appends: true },
    });
    const key = ['sk-', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('');
    const thread = { title: 'Giraffe', metadata: { upstream_thread_id: 'zoo' } };
    await service.insert(aNote('It is tall.', thread));
    const pending = { memory_status: 'pending_review' };
    expect(await first(service, 'giraffe', pending)).toBeDefined();
    await service.insert({ source: 'chatgpt', messages: turns('It is tall.', `The key is ${key}.`), ...thread });
    expect(await first(service, 'giraffe', pending)).toBeUndefined();
  });

  it('is known to a question', async () => {
    const service = await aService();
    await zebras(service);
    await service.insert(aNote('We take the ferry.', { metadata: { summary: 'The quokkas of Rottnest' } }));
    const { answer } = await service.ask({ question: 'Which animals live on Rottnest?' });
    expect(answer).not.toContain('Nothing in memory mentions');
  });
});

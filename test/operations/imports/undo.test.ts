import { describe, expect, it } from 'vitest';
import type { ImportJob } from '../../../src/operations/imports/job.js';
import { aUser, bearer } from '../../support/accounts.js';
import { invented } from '../../support/conversation.js';
import { aService, type TestService } from '../../support/service.js';

const patience = { timeout: 60_000, interval: 20 };

function chat(number: number, turns = 2) {
  return {
    id: `chat-${number}`,
    title: `Chat ${number}`,
    created_at: '2026-01-01T00:00:00Z',
    messages: Array.from({ length: turns }, (_, turn) => ({
      role: turn % 2 === 0 ? 'user' : 'assistant',
      text: invented(number * 100 + turn, 8),
    })),
  };
}

async function imported(service: TestService, chats: object[], token?: string): Promise<string> {
  const headers = {
    'content-type': 'application/octet-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const sent = await service.send('/memory/imports', { method: 'POST', headers, body: JSON.stringify(chats) });
  const { id } = sent.body.job as ImportJob;
  const state = async () => ((await service.send(`/memory/imports/${id}`, { headers })).body.job as ImportJob).state;
  await expect.poll(state, patience).toBe('done');
  return id;
}

async function titles(service: TestService): Promise<string[]> {
  const { body } = await service.request('/memory/conversations/list', { limit: 100 });
  return (body.results as { title: string }[]).map(({ title }) => title).sort();
}

describe('forgetting what an import stored', () => {
  it('removes what it added, and leaves what existed before', async () => {
    const service = await aService();
    await imported(service, [chat(1), chat(2)]);
    // One is known, one has grown, two are new.
    const id = await imported(service, [chat(1), chat(2, 4), chat(3), chat(4)]);
    const planned = await service.request('/memory/forget', { import_id: id });
    expect(planned.body).toMatchObject({ dry_run: true, conversations: 2, messages: 4 });
    expect(await titles(service)).toHaveLength(4);
    const done = await service.request('/memory/forget', { import_id: id, dry_run: false, allow_return: true });
    expect(done.body).toMatchObject({ dry_run: false, conversations: 2 });
    expect(await titles(service)).toEqual(['Chat 1', 'Chat 2']);
    await imported(service, [chat(3)]);
    expect(await titles(service)).toEqual(['Chat 1', 'Chat 2', 'Chat 3']);
  });

  it('narrows to the ids that are named beside it, and does nothing the second time', async () => {
    const service = await aService();
    const id = await imported(service, [chat(1), chat(2)]);
    const { body } = await service.request('/memory/conversations/list', { limit: 1 });
    const [one] = body.results as { id: string }[];
    const forget = { import_id: id, dry_run: false };
    expect((await service.request('/memory/forget', { ...forget, ids: [one?.id] })).body.conversations).toBe(1);
    expect((await service.request('/memory/forget', forget)).body.conversations).toBe(1);
    expect((await service.request('/memory/forget', forget)).body.conversations).toBe(0);
  });

  it('does not find an import of another user', async () => {
    const service = await aService(bearer);
    const nora = await aUser(service, 'nora');
    const omar = await aUser(service, 'omar');
    const id = await imported(service, [chat(1)], nora.token);
    expect((await omar.post('/memory/forget', { import_id: id })).body.error_code).toBe('not_found');
    expect((await nora.post('/memory/forget', { import_id: id })).body.conversations).toBe(1);
  });
});

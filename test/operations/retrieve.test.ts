import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aConversation, turns } from '../support/conversation.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let id: string;
beforeAll(async () => {
  service = await startService();
  id = (await service.insert(aConversation({ title: 'Shed' }))).id;
});
afterAll(() => service.close());

describe('retrieve', () => {
  it('gives the whole conversation, whatever the case of the id', async () => {
    for (const spelled of [id, id.toUpperCase(), ` ${id} `]) {
      const { status, body } = await service.request('/memory/retrieve', { id: spelled });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'ok',
        id,
        memory: {
          id,
          source: 'chatgpt',
          title: 'Shed',
          messages: turns('Where is the bicycle?', 'It is in the shed.'),
        },
      });
    }
  });

  it.each([
    [{}, 'id'],
    [{ id: 'abc' }, 'id'],
    [{ id: '' }, 'id'],
    [{ id: 5 }, 'id'],
    [{ id: null }, 'id'],
    [{ id: '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c', memory_status: 'Active' }, 'memory_status'],
    [{ id: '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c', memory_status: null }, 'memory_status'],
    [{ id: '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c', memory_id: 'x' }, 'memory_id'],
  ])('refuses %j at %s', async (body, path) => {
    const answer = await service.request('/memory/retrieve', body);
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([{ path, message: expect.any(String) }]);
  });

  it('keeps thousands of messages in order', async () => {
    const texts = Array.from({ length: 3_000 }, (_, index) => `message ${index}`);
    const outcome = await service.insert({ messages: turns(...texts) });
    expect(outcome).toMatchObject({ chunks: 3_000, embedded_chunks: 3_000 });
    const { body } = await service.request('/memory/retrieve', { id: outcome.id });
    expect((body.memory as { messages: { text: string }[] }).messages.map(({ text }) => text)).toEqual(texts);
  });
});

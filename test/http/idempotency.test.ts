import { describe, expect, it } from 'vitest';
import { aConversation, aNote } from '../support/conversation.js';
import { aService, type TestService } from '../support/service.js';

function insertWith(service: TestService, key: string, body: unknown) {
  return service.send('/memory/insert', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
}

describe('Idempotency-Key', () => {
  it('answers a repeated insert with the first answer', async () => {
    const service = await aService();
    const first = await insertWith(service, 'k-1', aConversation());
    const again = await insertWith(service, 'k-1', aConversation());
    expect(first.body).toMatchObject({ status: 'ok', deduplicated: false });
    expect(again.body).toEqual(first.body);
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
  });

  it('does the work once for repetitions at the same moment', async () => {
    const service = await aService();
    const answers = await Promise.all(Array.from({ length: 8 }, () => insertWith(service, 'k-1', aConversation())));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('refuses the same key for another request', async () => {
    const service = await aService();
    await insertWith(service, 'k-1', aConversation());
    expect((await insertWith(service, 'k-1', aNote('Something else'))).body).toMatchObject({
      error_code: 'duplicate_conflict',
    });
  });

  it('does not keep a failure', async () => {
    const service = await aService();
    expect((await insertWith(service, 'k-1', { messages: [] })).status).toBe(400);
    expect((await insertWith(service, 'k-1', aConversation())).status).toBe(200);
  });

  it.each(['', 'two words', 'x'.repeat(256)])('refuses a malformed key', async (key) => {
    const service = await aService();
    expect((await insertWith(service, key, aConversation())).status).toBe(400);
  });
});

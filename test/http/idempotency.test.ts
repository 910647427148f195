import { describe, expect, it, onTestFinished } from 'vitest';
import { aConversation, aNote } from '../support/conversation.js';
import { type Answer, aFolder, aService, type Body, startService, type TestService } from '../support/service.js';

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

  it('knows a request again whose keys come in another order', async () => {
    const service = await aService();
    const [message] = aNote('A heron').messages;
    const first = await insertWith(service, 'k-1', { source: 'x', messages: [message], metadata: { b: [1, 2], a: 1 } });
    const turned = { text: message?.text, role: message?.role };
    const again = await insertWith(service, 'k-1', { metadata: { a: 1, b: [1, 2] }, messages: [turned], source: 'x' });
    expect(again.body).toEqual(first.body);
    const other = { metadata: { a: 1, b: [2, 1] }, messages: [turned], source: 'x' };
    expect((await insertWith(service, 'k-1', other)).status).toBe(409);
  });

  it('does not answer for what was forgotten', async () => {
    const service = await aService();
    const { id } = (await insertWith(service, 'k-1', aConversation())).body;
    const kept = (await insertWith(service, 'k-2', aNote('A heron'))).body;
    await service.request('/memory/forget', { ids: [id], dry_run: false });
    expect(await insertWith(service, 'k-1', aConversation())).toMatchObject({
      status: 409,
      body: { reason: 'forgotten' },
    });
    expect((await insertWith(service, 'k-2', aNote('A heron'))).body).toEqual(kept);
  });

  it('is forgotten with the start after its day', async () => {
    const folder = await aFolder();
    const first = await startService({}, { folder });
    const answer = { status: 'ok' };
    const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const rows = [
      { id: 'old', request_hash: 'x', answer, created_at: at(25) },
      { id: 'new', request_hash: 'x', answer, created_at: at(1) },
    ];
    const { records } = first.service;
    await records.write(rows.map((row) => ({ kind: 'put', table: 'idempotency', row })));
    await first.close();
    const second = await startService({}, { folder });
    onTestFinished(second.close);
    const { idempotency } = second.service.records;
    expect([await idempotency.get('old', at(24)), await idempotency.get('new', at(0))]).toEqual([undefined, rows[1]]);
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

describe('Idempotency-Key of an import', () => {
  const chat = (text: string) => JSON.stringify([{ id: text, messages: [{ role: 'user', text }] }]);
  const importWith = (service: TestService, body: string | FormData, more: { query?: string; accept?: string } = {}) =>
    service.send(`/memory/import?format=json${more.query ?? ''}`, {
      method: 'POST',
      headers: {
        'idempotency-key': 'k-1',
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(more.accept === undefined ? {} : { accept: more.accept }),
      },
      body,
    });
  const total = async (service: TestService) => (await service.request('/memory/conversations/list', {})).body.total;

  it('answers the same file again with the first report', async () => {
    const service = await aService();
    const first = await importWith(service, chat('a heron'));
    const again = await importWith(service, chat('a heron'));
    expect(first.body).toMatchObject({ imported: 1, duplicates: 0 });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('refuses another file, also one of the same length', async () => {
    const service = await aService();
    await importWith(service, chat('a heron'));
    expect((await importWith(service, chat('a stork'))).body).toMatchObject({ error_code: 'duplicate_conflict' });
    expect((await importWith(service, chat('a heron'), { query: '&source=notes' })).status).toBe(409);
    expect(await total(service)).toBe(1);
  });

  it('recognises a form by its fields and file, not by its boundary', async () => {
    const service = await aService();
    const form = (text: string, source: string): FormData => {
      const made = new FormData();
      made.set('source', source);
      made.set('file', new File([chat(text)], 'chats.json'));
      return made;
    };
    expect((await importWith(service, form('a heron', 'notes'))).body).toMatchObject({ imported: 1 });
    expect((await importWith(service, form('a heron', 'notes'))).headers.get('idempotency-replayed')).toBe('true');
    expect((await importWith(service, form('a heron', 'other'))).status).toBe(409);
    expect((await importWith(service, form('a stork', 'notes'))).status).toBe(409);
  });

  it('holds for an import that tells its progress', async () => {
    const service = await aService();
    const accept = 'application/x-ndjson';
    const last = ({ body }: Answer) => JSON.parse(String(body.text).trim().split('\n').at(-1) ?? '') as Body;
    const first = last(await importWith(service, chat('a heron'), { accept }));
    expect(first).toMatchObject({ type: 'report', imported: 1 });
    expect(last(await importWith(service, chat('a heron'), { accept }))).toEqual(first);
    expect(last(await importWith(service, chat('a stork'), { accept }))).toMatchObject({
      type: 'error',
      error_code: 'duplicate_conflict',
    });
    expect(await total(service)).toBe(1);
  });

  it('does not keep an import that its client gave up', async () => {
    const service = await aService();
    const leave = new AbortController();
    leave.abort();
    const init = { method: 'POST', headers: { 'idempotency-key': 'k-1', 'content-type': 'application/json' } };
    const request = new Request('http://localhost/memory/import?format=json', { ...init, body: chat('a heron') });
    Object.defineProperty(request, 'signal', { value: leave.signal });
    await service.app.request(request);
    expect((await importWith(service, chat('a heron'))).headers.get('idempotency-replayed')).toBeNull();
    expect(await total(service)).toBe(1);
  });
});

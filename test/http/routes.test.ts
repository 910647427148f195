import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aConversation } from '../support/conversation.js';
import { aService, startService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const posts = [
  '/memory/insert',
  '/memory/search',
  '/memory/retrieve',
  '/memory/pending/approve',
  '/memory/pending/reject',
];
const gets = ['/health', '/ready', '/observability', '/openapi.json', '/docs'];

describe('every route', () => {
  it.each(gets)('answers GET %s, also with a slash at the end', async (path) => {
    expect((await service.send(path)).status).toBe(200);
    expect((await service.send(`${path}/`)).status).toBe(200);
  });

  it.each(gets)('answers HEAD %s with the headers of GET and no body', async (path) => {
    const { status, headers, body } = await service.send(path, { method: 'HEAD' });
    expect({ status, body }).toEqual({ status: 200, body: { text: '' } });
    expect(headers.get('content-type')).toBe((await service.send(path)).headers.get('content-type'));
  });

  it.each(gets)('refuses POST %s and says what is allowed', async (path) => {
    const { status, headers, body } = await service.request(path, {});
    expect({ status, allow: headers.get('allow'), code: body.error_code }).toEqual({
      status: 405,
      allow: 'GET',
      code: 'method_not_allowed',
    });
  });

  it.each(posts)('refuses GET, PUT and DELETE %s and says what is allowed', async (path) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, headers, body } = await service.send(path, { method });
      expect({ status, allow: headers.get('allow'), code: body.error_code }).toEqual({
        status: 405,
        allow: 'POST',
        code: 'method_not_allowed',
      });
    }
  });

  it.each(posts)('reads JSON at %s, also with a slash at the end', async (path) => {
    for (const place of [path, `${path}/`]) {
      const { status, body } = await service.request(place, 5);
      expect({ status, code: body.error_code }).toEqual({ status: 400, code: 'invalid_input' });
    }
  });

  it.each(['/memory', '/memory/nothing', '/nowhere', '/memory/insert/more', '/%', '/%E0%A4%A', '/__proto__'])(
    'is not at %s',
    async (path) => {
      const { status, body } = await service.send(path);
      expect({ status, code: body.error_code }).toEqual({ status: 404, code: 'not_found' });
    },
  );

  it('is reached from the start page', async () => {
    const { status, headers } = await service.send('/');
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/docs' });
  });

  it('of the memory is gone when interfaces.api is false', async () => {
    const closed = await aService({ interfaces: { api: false } });
    expect((await closed.request('/memory/insert', aConversation())).status).toBe(404);
    expect((await closed.send('/health')).status).toBe(200);
    expect((await closed.send('/openapi.json')).body.paths).not.toHaveProperty('/memory/insert');
  });
});

describe('the answers', () => {
  it('of insert, retrieve and search have the fields of the interface', async () => {
    const inserted = await service.request('/memory/insert', aConversation());
    expect(inserted.status).toBe(200);
    const id = String(inserted.body.id);
    expect(inserted.body).toEqual({
      status: 'ok',
      id,
      memory_status: 'active',
      deduplicated: false,
      appended_messages: 0,
      embedded_chunks: 2,
      chunks: 2,
    });
    const retrieved = await service.request('/memory/retrieve', { id: id.toUpperCase() });
    expect(retrieved).toMatchObject({ status: 200, body: { status: 'ok', id, memory: { id, source: 'chatgpt' } } });
    const found = await service.request('/memory/search', { query: 'bicycle' });
    expect(found).toMatchObject({ status: 200, body: { status: 'ok', cursor: null } });
  });
});

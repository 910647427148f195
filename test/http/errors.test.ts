import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorAnswer } from '../../src/http/errors.js';
import { errorFaces, MemoryError } from '../../src/model/errors.js';
import { aConversation, aNote } from '../support/conversation.js';
import { type Answer, aService, startService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

function expectError({ status, headers, body }: Answer, code: keyof typeof errorFaces): void {
  expect({ status, code: body.error_code }).toEqual({ status: errorFaces[code].http, code });
  expect(headers.get('content-type')).toBe('application/json');
  expect(Object.keys(body)).toEqual(
    expect.arrayContaining(['status', 'error_code', 'error_message', 'detail', 'request_id']),
  );
  expect(body.status).toBe('error');
  expect(body.error_message).toEqual(expect.stringMatching(/\S/));
  expect(body.detail).toBe(body.error_message);
  expect(body.request_id).toBe(headers.get('x-request-id'));
  expect(JSON.stringify(body)).not.toMatch(/\bat \/|node_modules|\.js:\d/);
}

describe('every error', () => {
  it.each(Object.keys(errorFaces) as (keyof typeof errorFaces)[])('%s has the one shape', (code) => {
    const { status, body } = errorAnswer(
      new MemoryError(code, 'It failed', { issues: [{ path: 'a', message: 'b' }] }),
      'r-1',
    );
    expect(status).toBe(errorFaces[code].http);
    expect(body).toEqual({
      status: 'error',
      error_code: code,
      error_message: 'It failed',
      detail: 'It failed',
      issues: [{ path: 'a', message: 'b' }],
      request_id: 'r-1',
    });
  });

  it('that was not foreseen is a fixed sentence', () => {
    const { status, body } = errorAnswer(new TypeError('sentinel detail'), 'r-1');
    expect(status).toBe(500);
    expect(body).toMatchObject({ error_code: 'internal_error', request_id: 'r-1' });
    expect(JSON.stringify(body)).not.toContain('sentinel');
  });

  it('carries the headers that belong to it', () => {
    const headersOf = (code: keyof typeof errorFaces) => errorAnswer(new MemoryError(code, 'x'), 'r').headers;
    expect(headersOf('unauthenticated')).toEqual({ 'www-authenticate': 'Bearer realm="threadkeep"' });
    expect(headersOf('rate_limited')).toEqual({ 'retry-after': '1' });
    expect(headersOf('payload_too_large')).toEqual({ connection: 'close' });
    expect(headersOf('invalid_input')).toEqual({});
  });
});

const post = (path: string, body: string | Uint8Array, type = 'application/json') =>
  service.send(path, { method: 'POST', headers: type === '' ? {} : { 'content-type': type }, body });

describe('a body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx', 'text/json'])(
    'of type %s is refused',
    async (type) => {
      expectError(await post('/memory/search', '{"query":"x"}', type), 'unsupported_media_type');
    },
  );

  it.each(['/memory/search', '/memory/import?format=json'])('that is compressed is refused by %s', async (path) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await service.send(path, { method: 'POST', headers, body: gzipSync('{"query":"x"}') });
    expectError(answer, 'unsupported_media_type');
    expect(answer.body.error_message).toContain('send it uncompressed');
    const plain = { ...headers, 'content-encoding': 'identity' };
    expect(
      (await service.send('/memory/search', { method: 'POST', headers: plain, body: '{"query":"x"}' })).status,
    ).toBe(200);
  });

  it('without a type is refused', async () => {
    expectError(await post('/memory/search', new TextEncoder().encode('{"query":"x"}'), ''), 'unsupported_media_type');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/problem+json'])(
    'of type %s is read',
    async (type) => {
      expect((await post('/memory/search', '{"query":"x"}', type)).status).toBe(200);
    },
  );

  it.each([
    '',
    '{',
    '{"query":"sentinel"',
    "{'query':'sentinel'}",
    '{"query":"sentinel"}}',
    'sentinel',
    'NaN',
    '{"query":"a\nb"}',
  ])('that is not JSON is refused without repeating it: %j', async (text) => {
    const answer = await post('/memory/search', text);
    expectError(answer, 'invalid_input');
    expect(JSON.stringify(answer.body)).not.toContain('sentinel');
  });

  it('that is not UTF-8 is refused', async () => {
    expectError(
      await post('/memory/search', new Uint8Array([...Buffer.from('{"query":"'), 0xff, 0xfe, ...Buffer.from('"}')])),
      'invalid_input',
    );
  });

  it('may begin with a byte order mark', async () => {
    expect((await post('/memory/search', '\uFEFF{"query":"x"}')).status).toBe(200);
  });

  // Reference bug 32.
  it('is never repeated in a refusal', async () => {
    const sentinel = 'sentinel-7f3a';
    const answers = [
      await service.request('/memory/search', {
        query: sentinel,
        top_k: sentinel,
        memory_status: sentinel,
        date_from: sentinel,
      }),
      await service.request('/memory/insert', { messages: [{ role: sentinel, text: sentinel }] }),
      await service.request('/memory/insert', aNote('x', { id: sentinel, timestamp: sentinel })),
      await service.request('/memory/insert', aNote('x', { metadata: { save_intent: sentinel } })),
      await service.request('/memory/insert', aNote('x', { project_id: `${sentinel}!` })),
      await service.request('/memory/retrieve', { id: sentinel }),
    ];
    for (const answer of answers) {
      expectError(answer, 'invalid_input');
      expect(JSON.stringify(answer.body)).not.toContain(sentinel);
    }
  });
});

describe('the codes', () => {
  it('invalid_input lists what is wrong', async () => {
    const answer = await service.request('/memory/search', { query: 'x', top_k: 0, source: null, what: 1 });
    expectError(answer, 'invalid_input');
    expect(answer.body.issues).toEqual(
      expect.arrayContaining([
        { path: 'top_k', message: 'must be at least 1' },
        { path: 'source', message: 'must not be null; leave optional fields out' },
        { path: 'what', message: 'is not a known field' },
      ]),
    );
  });

  it('invalid_input is said of query parameters that a call does not read', async () => {
    const answer = await service.request('/memory/insert?project_id=team', aConversation());
    expectError(answer, 'invalid_input');
    expect(answer.body.issues).toEqual([
      { path: 'project_id', message: 'belongs in the JSON body: this call reads no query parameters' },
    ]);
    const people = await service.send('/memory/people?asof=2024-01-01');
    expectError(people, 'invalid_input');
    expect(people.body.issues).toEqual([{ path: 'asof', message: 'is not a known field (did you mean as_of?)' }]);
    expectError(await service.send('/memory/projects?limit=1'), 'invalid_input');
  });

  it('not_found is said of what is unknown', async () => {
    for (const path of ['/memory/retrieve', '/memory/pending/approve', '/memory/pending/reject']) {
      expectError(await service.request(path, { id: randomUUID() }), 'not_found');
    }
  });

  it('permission_denied is said of a project of others, in these words', async () => {
    const answer = await service.request('/memory/search', { query: 'x', project_id: 'elsewhere' });
    expectError(answer, 'permission_denied');
    expect(answer.body.error_message).toBe('project access denied');
  });

  it('memory_not_pending_review tells the status', async () => {
    const { id } = await service.insert(aConversation());
    const answer = await service.request('/memory/pending/approve', { id });
    expectError(answer, 'memory_not_pending_review');
    expect(answer.body.memory_status).toBe('active');
  });

  it('unauthorized_update is said of an id with other content', async () => {
    const { id } = await service.insert(aConversation());
    expectError(await service.request('/memory/insert', aNote('Something else', { id })), 'unauthorized_update');
  });

  it('save_intent_required and invalid_save_intent come from the policy', async () => {
    const strict = await aService({ memory: { insert_policy: 'require_save_intent' } });
    expectError(await strict.request('/memory/insert', aConversation()), 'save_intent_required');
    const wrong = aConversation({ metadata: { save_intent: 'because' } });
    expectError(await strict.request('/memory/insert', wrong), 'invalid_save_intent');
  });

  // Reference bug 42: a store that failed answered with bare text.
  it('metadata_unavailable is said when the store fails, by every route of the memory', async () => {
    const broken = await startService();
    await broken.close();
    const calls = { insert: aConversation(), search: { query: 'x' }, retrieve: { id: randomUUID() } };
    for (const [name, body] of Object.entries(calls)) {
      expectError(await broken.request(`/memory/${name}`, body), 'metadata_unavailable');
    }
    expectError(await broken.request('/memory/pending/approve', { id: randomUUID() }), 'metadata_unavailable');
    expectError(await broken.request('/memory/pending/reject', { id: randomUUID() }), 'metadata_unavailable');
  });
});

// Issue 24: raw JSON is never what a person sees in a browser.
describe('an error in a browser', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const open = (path: string, headers = {}) => service.send(path, { headers: { accept, ...headers } });

  it.each(['/nowhere', '/connect'])('is a page with the message at %s', async (path) => {
    const json = await service.send(path);
    const { status, headers, body } = await open(path);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('vary')).toContain('Accept');
    expect(headers.get('cache-control')).toBe('no-store');
    const page = String(body.text);
    expect(page).toContain('<h1>Page not found</h1>');
    expect(page).toContain(String(json.body.error_message));
    expect(page).toContain('href="/"');
  });

  it('runs only its own script', async () => {
    const { headers, body } = await open('/nowhere');
    const policy = headers.get('content-security-policy') ?? '';
    const script = /<script>([\s\S]*?)<\/script>/.exec(String(body.text))?.[1] ?? '';
    const style = /<style>([\s\S]*?)<\/style>/.exec(String(body.text))?.[1] ?? '';
    for (const part of [script, style]) expect(policy).toContain(createHash('sha256').update(part).digest('base64'));
    expect(policy).not.toContain('unsafe');
  });

  it('repeats nothing of the request as markup', async () => {
    const { body } = await open('/%3Cscript%3Ealert(1)%3C/script%3E', { 'x-request-id': '<script>alert(2)</script>' });
    expect(String(body.text)).not.toContain('alert(1)');
    expect(String(body.text)).not.toContain('<script>alert(2)');
  });

  it('stays JSON for everything that is no page view', async () => {
    const posted = await service.send('/memory/search', {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([posted.status, posted.body.error_code]).toEqual([400, 'invalid_input']);
    const plain = await service.send('/nowhere', { headers: { accept: '*/*' } });
    expect([plain.status, plain.body.error_code]).toEqual([404, 'not_found']);
  });

  it('says where to sign in when a token is needed', async () => {
    const closed = await startService({ api: { auth: 'bearer_token' } });
    const { status, headers, body } = await closed.send('/docs', { headers: { accept } });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(String(body.text)).toContain('<h1>This page needs a token</h1>');
    await closed.close();
  });
});

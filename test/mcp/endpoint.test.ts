import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSession, both, opening, post, postStateless, stateless } from '../support/mcp.js';
import { type Answer, aService, type Body, startService, type TestService } from '../support/service.js';

const init = { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening };
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

describe('a session', () => {
  it.each(['2025-06-18', '2025-11-25'])('speaks %s, by the stream that the client accepts', async (protocolVersion) => {
    const service = await aService();
    const params = { ...opening, protocolVersion };
    const { status, headers, body } = await post(service, { ...init, params });
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/event-stream' });
    expect(headers.get('mcp-session-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(body.result).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'threadkeep' },
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      instructions: expect.stringContaining('conversation_json as a nested JSON object, not as a JSON string'),
    });
  });

  it('is offered the newest version it has when the client wants another', async () => {
    const { opened } = await aSession(await aService(), { ...opening, protocolVersion: '1999-01-01' });
    expect(opened.result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it.each(['2025-03-26', '2024-11-05'])(
    'of a client of %s is offered a newer one, and refused in the old',
    async (old) => {
      const service = await aService();
      const session = await aSession(service, { ...opening, protocolVersion: old });
      expect(session.opened.result).toMatchObject({ protocolVersion: '2025-11-25' });
      const headers = { 'mcp-session-id': session.id };
      // One that takes the offer is served; one that insists on what we do not speak is told so.
      expect((await post(service, list, { ...headers, 'mcp-protocol-version': '2025-11-25' })).status).toBe(200);
      const refused = await post(service, list, { ...headers, 'mcp-protocol-version': old });
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('2025-11-25') } },
      });
    },
  );

  it('works for a client that never says it is initialised and reads data lines', async () => {
    const service = await aService();
    const opened = await service.app.request('/mcp/', { method: 'POST', headers: both, body: JSON.stringify(init) });
    await opened.text();
    const headers = { ...both, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const params = { name: 'memory_search', arguments: { query: 'x' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    const answer = await service.app.request('/mcp/', { method: 'POST', headers, body });
    const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '));
    expect(lines.map((line) => JSON.parse(line.slice(6)))).toMatchObject([
      { id: 7, result: { structuredContent: { status: 'ok' } } },
    ]);
  });

  it('answers JSON to a client that accepts nothing else, and a stream to one that accepts anything', async () => {
    const service = await aService();
    const only = await post(service, init, { accept: 'application/json' });
    expect(only.headers.get('content-type')).toBe('application/json');
    expect(only.body).toMatchObject({ id: 1, result: { serverInfo: { name: 'threadkeep' } } });
    expect((await post(service, init, { accept: '*/*' })).headers.get('content-type')).toBe('text/event-stream');
  });

  it('ends when the client deletes it', async () => {
    const service = await aService();
    const { id } = await aSession(service);
    const headers = { 'mcp-session-id': id };
    expect((await service.app.request('/mcp', { method: 'DELETE', headers })).status).toBe(200);
    expect((await post(service, list, headers)).status).toBe(404);
  });

  it('is unknown after a restart', async () => {
    const { id } = await aSession(await aService());
    const answer = await post(await aService(), list, { 'mcp-session-id': id });
    expect({ status: answer.status, error: answer.body.error }).toEqual({
      status: 404,
      error: { code: -32600, message: 'Session not found' },
    });
  });

  it('ends when unused for too long, and stays open while it is used', async () => {
    let now = 0;
    const service = await aService({ mcp: { session_idle_seconds: 10 } }, { now: () => now });
    const headers = { 'mcp-session-id': (await aSession(service)).id };
    now = 9_000;
    expect((await post(service, list, headers)).status).toBe(200);
    now = 18_000;
    expect((await post(service, list, headers)).status).toBe(200);
    now = 28_000;
    expect((await post(service, list, headers)).status).toBe(404);
  });

  it('makes room for a new one when there are too many: the one unused for longest goes', async () => {
    const service = await aService({ mcp: { max_sessions: 2 } });
    const [first, second] = [await aSession(service), await aSession(service)];
    await first.result('ping');
    const third = await aSession(service);
    const statuses = [first, second, third].map(
      async ({ id }) => (await post(service, list, { 'mcp-session-id': id })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404, 200]);
  });

  it('respects the bound when many come at once', async () => {
    const service = await aService({ mcp: { max_sessions: 3 } });
    const sessions = await Promise.all(Array.from({ length: 12 }, () => aSession(service)));
    const statuses = sessions.map(async ({ id }) => (await post(service, list, { 'mcp-session-id': id })).status);
    expect((await Promise.all(statuses)).filter((status) => status === 200)).toHaveLength(3);
  });

  it('is refused when all others are at work', async () => {
    const service = await aService({ mcp: { max_sessions: 1 } });
    const { id } = await aSession(service);
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    const news = await service.app.request('/mcp', { headers });
    expect({ status: news.status, type: news.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/event-stream',
    });
    const refused = await post(service, init);
    expect({ status: refused.status, retry: refused.headers.get('retry-after') }).toEqual({ status: 503, retry: '1' });
    await news.body?.cancel();
    expect((await post(service, init)).status).toBe(200);
  });

  it('answers both of two requests that come under one id at the same time', async () => {
    const service = await aService();
    const { id } = await aSession(service);
    const params = { name: 'memory_search', arguments: { query: 'x' } };
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    const answers = await Promise.all([call, call].map((each) => post(service, each, { 'mcp-session-id': id })));
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect(answers[1]?.body).toMatchObject({
      id: 7,
      error: { message: expect.stringContaining('still being answered') },
    });
    expect((await post(service, call, { 'mcp-session-id': id })).status).toBe(200);
  });

  it('sends log messages only to a client that asked for them', async () => {
    const service = await aService();
    const session = await aSession(service);
    const call = async () => {
      const params = { name: 'memory_search', arguments: { query: 'secret' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params });
      const headers = { ...both, 'mcp-session-id': session.id };
      return (await service.app.request('/mcp', { method: 'POST', headers, body })).text();
    };
    expect(await call()).not.toContain('notifications/message');
    await session.result('logging/setLevel', { level: 'info' });
    const [told] = (await call()).split('\n').filter((line) => line.includes('notifications/message'));
    expect(JSON.parse(told?.slice(6) ?? '{}').params).toEqual({
      level: 'info',
      logger: 'threadkeep',
      data: { tool: 'memory_search', status: 'ok', error_code: null },
    });
    await session.result('logging/setLevel', { level: 'error' });
    expect(await call()).not.toContain('notifications/message');
  });
});

describe('the stateless era', () => {
  it('discovers, lists and calls without a session', async () => {
    const service = await aService();
    const found = await postStateless(service, 'server/discover');
    expect(found.headers.get('mcp-session-id')).toBeNull();
    expect(found.headers.get('content-type')).toBe('text/event-stream');
    expect(found.body.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      resultType: 'complete',
      instructions: expect.stringContaining('memory_search'),
      ttlMs: 300_000,
      cacheScope: 'public',
    });
    const listed = (await postStateless(service, 'tools/list')).body.result as { tools: Body[]; ttlMs: number };
    expect(listed).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' });
    const params = { name: 'memory_search', arguments: { query: 'x' } };
    expect((await postStateless(service, 'tools/call', params)).body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'ok', results: [] },
    });
    const read = await postStateless(service, 'resources/read', { uri: 'memory://health' });
    expect(read.body.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  it('answers JSON to a client that does not read streams', async () => {
    const answer = await postStateless(await aService(), 'tools/list', {}, { accept: 'application/json' });
    expect(answer.headers.get('content-type')).toBe('application/json');
  });
});

describe('a request that is wrong', () => {
  let service: TestService;
  let session: string;
  beforeAll(async () => {
    service = await startService({ limits: { max_body_bytes: 2_000 } });
    session = (await aSession(service)).id;
  });
  afterAll(() => service.close());

  const inSession = (message: unknown, headers = {}) =>
    post(service, message, { 'mcp-session-id': session, ...headers });
  const withMeta = (headers: Record<string, string>, message: Body = {}) =>
    post(service, { ...list, params: { _meta: stateless }, ...message }, headers);
  const right = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };

  /** What each era answers: the HTTP status and the code of JSON-RPC, or of ours where the HTTP door refuses. */
  const faults: [fault: string, send: () => Promise<Answer>, status: number, code: number | string][] = [
    ['2025: JSON that is none', () => inSession('{"jsonrpc":'), 400, -32700],
    ['2025: not JSON-RPC', () => inSession({ hello: 'world' }), 400, -32600],
    ['2025: a batch', () => inSession([list, list]), 400, -32600],
    ['2025: no session', () => post(service, list), 400, -32600],
    ['2025: an unknown session', () => post(service, list, { 'mcp-session-id': 'f'.repeat(32) }), 404, -32600],
    ['2025: an unsupported version', () => inSession(list, { 'mcp-protocol-version': '1999-01-01' }), 400, -32000],
    ['2025: initialize without parameters', () => post(service, { ...init, params: {} }), 400, -32602],
    ['2025: an unknown method', () => inSession({ ...list, method: 'tools/burn' }), 200, -32601],
    ['2025: a bad cursor', () => inSession({ ...list, params: { cursor: 'x' } }), 200, -32602],
    ['2025: a cursor of the wrong type', () => inSession({ ...list, params: { cursor: 5 } }), 200, -32602],
    ['2025: an unknown tool', () => inSession({ ...list, method: 'tools/call', params: { name: 'x' } }), 200, -32602],
    [
      '2025: an unknown prompt',
      () => inSession({ ...list, method: 'prompts/get', params: { name: 'x' } }),
      200,
      -32602,
    ],
    [
      '2025: an unknown resource',
      () => inSession({ ...list, method: 'resources/read', params: { uri: 'x:y' } }),
      200,
      -32002,
    ],
    [
      '2025: an unknown level',
      () => inSession({ ...list, method: 'logging/setLevel', params: { level: 'x' } }),
      200,
      -32602,
    ],
    ['2025: too large', () => inSession({ ...list, params: { x: 'y'.repeat(3_000) } }), 413, -32000],
    ['2025: not sent as JSON', () => inSession(list, { 'content-type': 'text/plain' }), 415, -32000],
    ['2025: accepts pictures only', () => inSession(list, { accept: 'image/png' }), 406, -32000],
    ['2025: a foreign origin', () => inSession(list, { origin: 'https://evil.example' }), 403, 'permission_denied'],
    ['2025: a foreign host', () => inSession(list, { host: 'evil.example' }), 403, 'permission_denied'],
    [
      '2025: GET without a session',
      () => service.send('/mcp', { headers: { accept: 'text/event-stream' } }),
      400,
      -32600,
    ],
    ['2025: DELETE without a session', () => service.send('/mcp', { method: 'DELETE' }), 400, -32600],
    ['2025: PUT', () => service.send('/mcp', { method: 'PUT' }), 405, -32000],
    ['2026: JSON that is none', () => post(service, '{', right), 400, -32700],
    ['2026: a batch', () => post(service, [list], right), 400, -32600],
    ['2026: no envelope', () => post(service, list, right), 400, -32602],
    ['2026: a header that names another method', () => withMeta({ ...right, 'mcp-method': 'ping' }), 400, -32020],
    ['2026: no header that names the method', () => withMeta({ 'mcp-protocol-version': '2026-07-28' }), 400, -32020],
    [
      '2026: a header of another version',
      () => withMeta({ ...right, 'mcp-protocol-version': '2025-11-25' }),
      400,
      -32020,
    ],
    ['2026: an unknown method', () => postStateless(service, 'tools/burn'), 404, -32601],
    ['2026: a method of sessions', () => postStateless(service, 'logging/setLevel', { level: 'info' }), 404, -32601],
    ['2026: a bad cursor', () => postStateless(service, 'tools/list', { cursor: 'x' }), 200, -32602],
    ['2026: an unknown tool', () => postStateless(service, 'tools/call', { name: 'x' }), 200, -32602],
    ['2026: an unknown resource', () => postStateless(service, 'resources/read', { uri: 'memory://x' }), 200, -32602],
    ['2026: too large', () => postStateless(service, 'tools/list', { x: 'y'.repeat(3_000) }), 413, -32000],
    ['2026: not sent as JSON', () => withMeta({ ...right, 'content-type': 'text/plain' }), 415, -32000],
    ['2026: a foreign origin', () => withMeta({ ...right, origin: 'https://evil.example' }), 403, 'permission_denied'],
    ['2026: GET', () => service.send('/mcp', { headers: { 'mcp-protocol-version': '2026-07-28' } }), 405, -32000],
  ];

  it.each(faults)('gets its status and code (%s)', async (_, send, status, code) => {
    const answer = await send();
    const error = answer.body.error as { code: number } | undefined;
    expect({ status: answer.status, code: error?.code ?? answer.body.error_code }).toEqual({ status, code });
  });
});

describe('the switches of the interfaces', () => {
  it('take the MCP endpoint away, or the HTTP API', async () => {
    const withoutMcp = await aService({ interfaces: { mcp: false } });
    expect((await withoutMcp.request('/mcp', init)).status).toBe(404);
    expect((await withoutMcp.request('/memory/search', { query: 'x' })).status).toBe(200);
    const withoutApi = await aService({ interfaces: { api: false } });
    expect((await withoutApi.request('/memory/search', { query: 'x' })).status).toBe(404);
    expect((await post(withoutApi, init)).status).toBe(200);
    expect((await withoutApi.send('/health')).status).toBe(200);
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { openMcpEndpoint } from '../../src/app/mcp.js';
import type { Caller } from '../../src/mcp/endpoint.js';
import { memoryTools } from '../../src/mcp/tools/table.js';
import { aUser, bearer, type TestUser } from '../support/accounts.js';
import { aNote } from '../support/conversation.js';
import { aSession, post } from '../support/mcp.js';
import { aServer } from '../support/server.js';
import { aService, type Body, memberOf, type TestService } from '../support/service.js';

/** The endpoint as the HTTP door mounts it, for requests of one caller each. */
async function anEndpoint() {
  const { config, runtime, service } = await aService();
  const endpoint = openMcpEndpoint(config, runtime, service.observer);
  onTestFinished(endpoint.close);
  return (caller: Caller) => ({
    app: {
      request: (path: string, init?: RequestInit) =>
        endpoint.fetch(new Request(`http://127.0.0.1${path}`, init), caller),
    },
  });
}

function withToken({ app }: TestService, { token }: TestUser) {
  const authorization = `Bearer ${token}`;
  return {
    app: {
      request: (path: string, init?: RequestInit) =>
        app.request(path, { ...init, headers: { ...(init?.headers as Record<string, string>), authorization } }),
    },
  };
}

/** Arguments that would find something, for the tools that need some. */
const given: Record<string, (id: string) => Body> = {
  memory_validate: () => ({ conversation_json: aNote('x') }),
  memory_search: () => ({ query: 'swallow' }),
  memory_retrieve: (id) => ({ id }),
  memory_context: (id) => ({ id, message_index: 0 }),
  memory_ask: () => ({ question: 'Who returns?' }),
  memory_project_get: () => ({ project_id: 'x' }),
  search: () => ({ query: 'swallow' }),
  fetch: (id) => ({ id }),
};

describe('a caller', () => {
  it('acts as itself in every call, with its own project', async () => {
    const as = await anEndpoint();
    const [nora, otto] = [as({ principal: memberOf('nora') }), as({ principal: memberOf('otto') })];
    const [hers, his] = [await aSession(nora), await aSession(otto)];
    await hers.call('memory_insert', { conversation_json: aNote('The swallow returns.') });
    expect((await hers.call('memory_search', { query: 'swallow' })).results).toHaveLength(1);
    expect((await his.call('memory_search', { query: 'swallow' })).results).toEqual([]);
  });

  it('cannot use the session of another user, nor of another token', async () => {
    const as = await anEndpoint();
    const principal = memberOf('nora');
    const { id } = await aSession(as({ principal, tokenId: 'tok_1' }));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const statuses = async (caller: Caller) => {
      const headers = { 'mcp-session-id': id };
      const posted = await post(as(caller), list, headers);
      const deleted = await as(caller).app.request('/mcp', { method: 'DELETE', headers });
      return [posted.status, deleted.status];
    };
    expect(await statuses({ principal: memberOf('otto'), tokenId: 'tok_1' })).toEqual([404, 404]);
    expect(await statuses({ principal, tokenId: 'tok_2' })).toEqual([404, 404]);
    expect(await statuses({ principal })).toEqual([404, 404]);
    expect(await statuses({ principal, tokenId: 'tok_1' })).toEqual([200, 200]);
  });

  it('that may only write saves, and reads nothing through any tool, resource or completion', async () => {
    const service = await aService(bearer);
    const reader = withToken(service, await aUser(service, 'nora', ['memory:read']));
    const writer = withToken(service, await aUser(service, 'nora', ['memory:write']));
    const session = await aSession(writer);
    const saved = await session.call('memory_insert', { conversation_json: aNote('The swallow returns.') });
    expect(saved).toMatchObject({ status: 'ok', embedded_chunks: 1 });
    const id = String(saved.id);
    const reading = memoryTools.filter(({ needs }) => needs.every((set) => set.includes('memory:read')));
    expect(reading.length).toBeGreaterThan(8);
    for (const { name } of reading) {
      const answer = await session.call(name, given[name]?.(id) ?? {});
      expect({ name, ...answer }).toMatchObject({
        name,
        error_code: 'insufficient_scope',
        required_scope: 'memory:read',
      });
      expect(JSON.stringify(answer)).not.toContain('swallow');
    }
    const ref = { type: 'ref/resource', uri: 'memory://conversation/{id}' };
    for (const [method, params] of [
      ['resources/read', { uri: `memory://conversation/${id}` }],
      ['resources/read', { uri: 'memory://search/swallow' }],
      ['resources/read', { uri: `memory://timeline/${new Date().toISOString().slice(0, 10)}` }],
      ['completion/complete', { ref, argument: { name: 'id', value: '' } }],
    ] as const) {
      const { error } = await session.request(method, params);
      expect(error).toMatchObject({ code: -32602, data: { error_code: 'insufficient_scope' } });
    }
    const searching = await aSession(reader);
    expect((await searching.call('memory_search', { query: 'swallow' })).results).toHaveLength(1);
    expect(await searching.call('memory_insert', { conversation_json: aNote('x') })).toMatchObject({
      error_code: 'insufficient_scope',
    });
  });

  it('loses a right at once, even during a session', async () => {
    const as = await anEndpoint();
    const principal = memberOf('nora');
    const { id } = await aSession(as({ principal }));
    const params = { name: 'memory_insert', arguments: { conversation_json: aNote('x') } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const reader = as({ principal: { ...principal, scopes: ['memory:read'] } });
    const { body } = await post(reader, message, { 'mcp-session-id': id });
    expect((body.result as Body).structuredContent).toMatchObject({ error_code: 'insufficient_scope' });
  });
});

describe('a shutdown', () => {
  it('ends streams that wait for news and does not wait for their clients', async () => {
    const server = await aServer();
    const { id } = await aSession({ app: { request: (path, init) => fetch(server.url + path, init) } });
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    const news = await fetch(`${server.url}/mcp`, { headers });
    const ended = news.text();
    const started = performance.now();
    await server.close();
    expect(performance.now() - started).toBeLessThan(9_000);
    expect(await ended).toBe('');
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { openMcpEndpoint } from '../../src/app/mcp.js';
import type { Caller } from '../../src/mcp/caller.js';
import { aNote } from '../support/conversation.js';
import { aSession, post } from '../support/mcp.js';
import { aServer } from '../support/server.js';
import { aService, type Body, memberOf } from '../support/service.js';

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

  it('loses a right in the middle of a session at once', async () => {
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

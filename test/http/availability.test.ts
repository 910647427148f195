import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createToken, revokeToken } from '../../src/auth/tokens.js';
import { createUser, setUserDisabled } from '../../src/auth/users.js';
import { accountsIn, aUser, bearer } from '../support/accounts.js';
import { aNote } from '../support/conversation.js';
import { aSession, post } from '../support/mcp.js';
import { soon } from '../support/patience.js';
import { aServer, dial, postHead, type TestServer } from '../support/server.js';
import { aService, type TestService } from '../support/service.js';

const oauth = { api: { auth: 'oauth_resource_server' } } as const;

/** A POST of a form that anybody may send, of which one byte arrives. */
const slowForm = [
  'POST /oauth/token HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Length: 100',
  '',
  'g',
].join('\r\n');

async function tokenOn(server: TestServer, name: string): Promise<{ token: string; id: string }> {
  const { administration } = await accountsIn(server.folder);
  await createUser(administration, { name });
  const { token, row } = await createToken(administration, { user: name });
  return { token, id: row.id };
}

async function heldForms(server: TestServer, count: number) {
  const clients = await Promise.all(Array.from({ length: count }, () => dial(server.url)));
  for (const client of clients) client.send(slowForm);
  return clients;
}

describe('strangers who send their bodies drop by drop', () => {
  it('do not keep out who has a token, and get a place of their own', async () => {
    const limits = { max_concurrent_requests: 4, max_public_requests: 4, max_public_requests_per_address: 4 };
    const server = await aServer({ ...oauth, limits: { ...limits, public_body_timeout_ms: 5_000 } });
    const { token } = await tokenOn(server, 'nora');
    const clients = await heldForms(server, 8);
    await expect.poll(() => clients.filter((client) => client.status() === 429).length, soon).toBe(4);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${server.url}/memory/projects`, { headers })).status).toBe(200);
    expect((await fetch(`${server.url}/connect`)).status).toBe(429);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it('get no more places than one address may have', async () => {
    const limits = { max_public_requests: 100, max_public_requests_per_address: 2, public_body_timeout_ms: 5_000 };
    const server = await aServer({ ...oauth, limits });
    const clients = await heldForms(server, 5);
    await expect.poll(() => clients.filter((client) => client.status() === 429).length, soon).toBe(3);
  });

  it('are cut off at the deadline, and their places are free again', async () => {
    const limits = { max_public_requests: 2, public_body_timeout_ms: 300 };
    const server = await aServer({ ...oauth, limits });
    const clients = await heldForms(server, 2);
    for (const client of clients) {
      await client.closed;
      expect(client.status()).toBe(400);
      expect(client.received()).toContain('invalid_request');
    }
    expect((await fetch(`${server.url}/connect`)).status).toBe(200);
  });

  it('are cut off also where a token is asked for, before anything waits for their body', async () => {
    const server = await aServer({ ...bearer, limits: { max_concurrent_requests: 2 } });
    const { token } = await tokenOn(server, 'nora');
    const clients = await Promise.all(Array.from({ length: 6 }, () => dial(server.url)));
    for (const client of clients) client.send(slowForm.replace('/oauth/token', '/memory/insert'));
    for (const client of clients) await expect.poll(client.status, soon).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${server.url}/memory/projects`, { headers })).status).toBe(200);
  });
});

describe('bodies that stall where no token is asked for', () => {
  const places = { max_concurrent_requests: 3, public_body_timeout_ms: 300 };
  const paths = ['/memory/insert', '/memory/import?format=threadkeep', '/mcp'];

  it('are cut off at the deadline, and their places are free again', async () => {
    const server = await aServer({ limits: places });
    const clients = await Promise.all(paths.map(() => dial(server.url)));
    for (const [at, client] of clients.entries()) client.send(postHead(paths[at] ?? '', 'Content-Length: 100'), '{');
    for (const client of clients) {
      await client.closed;
      expect(client.status()).toBe(400);
      expect(client.body()).toContain('The body stalled');
    }
    expect((await server.post('/memory/search', { query: 'x' })).status).toBe(200);
  });
});

function asUser(service: TestService, token: string) {
  const authorization = `Bearer ${token}`;
  return {
    app: {
      request: (path: string, init?: RequestInit) =>
        service.app.request(path, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), authorization },
        }),
    },
  };
}

describe('MCP sessions', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  async function statusesOf(reachable: ReturnType<typeof asUser>, ids: readonly string[]): Promise<number[]> {
    const asking = ids.map((id) => post(reachable, list, { 'mcp-session-id': id }));
    return (await Promise.all(asking)).map(({ status }) => status);
  }

  it('of one user are bounded across all tokens, and the user’s oldest end first', async () => {
    const service = await aService({ ...bearer, mcp: { max_sessions: 100, max_sessions_per_user: 3 } });
    const first = asUser(service, (await aUser(service, 'anna')).token);
    const second = asUser(service, (await aUser(service, 'anna')).token);
    const bert = asUser(service, (await aUser(service, 'bert')).token);
    const his = await aSession(bert);
    const early = [await aSession(first), await aSession(first)];
    const late = [await aSession(second), await aSession(second)];
    expect(await statusesOf(bert, [his.id])).toEqual([200]);
    expect(
      await statusesOf(
        first,
        early.map(({ id }) => id),
      ),
    ).toEqual([404, 200]);
    expect(
      await statusesOf(
        second,
        late.map(({ id }) => id),
      ),
    ).toEqual([200, 200]);
  });

  it('that are too many in all end with the user who has the most', async () => {
    const service = await aService({ ...bearer, mcp: { max_sessions: 5, max_sessions_per_user: 100 } });
    const anna = asUser(service, (await aUser(service, 'anna')).token);
    const bert = asUser(service, (await aUser(service, 'bert')).token);
    const his = await aSession(bert);
    const hers = [];
    for (let number = 0; number < 20; number++) hers.push((await aSession(anna)).id);
    expect(await statusesOf(bert, [his.id])).toEqual([200]);
    const carl = asUser(service, (await aUser(service, 'carl')).token);
    expect((await aSession(carl)).id).not.toBe('');
    expect(await statusesOf(bert, [his.id])).toEqual([200]);
    expect((await statusesOf(anna, hers)).filter((status) => status === 200)).toHaveLength(3);
  });

  it('of a user who keeps a stream open in each do not keep others out', async () => {
    const service = await aService({ ...bearer, mcp: { max_sessions: 3, max_sessions_per_user: 100 } });
    const anna = asUser(service, (await aUser(service, 'anna')).token);
    const bert = asUser(service, (await aUser(service, 'bert')).token);
    for (let number = 0; number < 3; number++) {
      const { id } = await aSession(anna);
      await anna.app.request('/mcp', { headers: { accept: 'text/event-stream', 'mcp-session-id': id } });
    }
    const his = await aSession(bert);
    expect(await statusesOf(bert, [his.id])).toEqual([200]);
  });
});

describe('a stream', () => {
  /** The clock of the server's background checks stands still until a test moves it, however busy the machine is. */
  function stoppedClock() {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
    return {
      pass,
      /** A check that is still under way skips the next one, so time passes until the stream is over. */
      passUntilOver: (stream: { isOver: () => boolean }) =>
        expect
          .poll(() => {
            pass(500);
            return stream.isOver();
          }, soon)
          .toBe(true),
    };
  }
  const aSecond = 1_000;

  it('ends within a second when its token is revoked by another process', async () => {
    const clock = stoppedClock();
    const server = await aServer(bearer);
    const { token, id } = await tokenOn(server, 'nora');
    const { administration } = await accountsIn(server.folder);
    const stream = await opened(server, token);
    await revokeToken(administration, id);
    clock.pass(aSecond);
    await stream.ended;
  });

  it('ends when its user is disabled, not when another user is', async () => {
    const clock = stoppedClock();
    const server = await aServer(bearer);
    const nora = await tokenOn(server, 'nora');
    const otto = await tokenOn(server, 'otto');
    const { administration } = await accountsIn(server.folder);
    const stream = await opened(server, nora.token);
    const other = await opened(server, otto.token);
    await setUserDisabled(administration, 'otto', { disabled: true });
    clock.pass(aSecond);
    await other.ended;
    expect(stream.isOver()).toBe(false);
    await setUserDisabled(administration, 'nora', { disabled: true });
    await clock.passUntilOver(stream);
  });

  it('ends when its token expires', async () => {
    const clock = stoppedClock();
    const server = await aServer(bearer);
    const { administration } = await accountsIn(server.folder);
    await createUser(administration, { name: 'nora' });
    const { token } = await createToken(administration, { user: 'nora', lifetime: 60_000 });
    const stream = await opened(server, token);
    clock.pass(59_000);
    expect(stream.isOver()).toBe(false);
    await clock.passUntilOver(stream);
  });

  it('of an export breaks off, so that it does not pass for whole', async () => {
    const clock = stoppedClock();
    const service = await aService(bearer);
    const nora = await aUser(service, 'nora');
    for (let number = 0; number < 3; number++) await nora.post('/memory/insert', aNote(`note ${number}`));
    const headers = { authorization: `Bearer ${nora.token}` };
    const answer = await service.app.request('/memory/export', { headers });
    const reader = answer.body?.getReader();
    await reader?.read();
    await revokeToken(service.runtime.access.administration, nora.tokenId);
    clock.pass(aSecond);
    await expect(reader?.closed).rejects.toThrow();
  });
});

async function opened(server: TestServer, token: string) {
  const authorization = `Bearer ${token}`;
  const request = (path: string, init?: RequestInit) =>
    fetch(server.url + path, { ...init, headers: { ...(init?.headers as Record<string, string>), authorization } });
  const { id } = await aSession({ app: { request } });
  const stream = await request('/mcp', { headers: { accept: 'text/event-stream', 'mcp-session-id': id } });
  expect(stream.status).toBe(200);
  let over = false;
  const end = (): void => {
    over = true;
  };
  return { ended: stream.text().then(end, end), isOver: () => over };
}

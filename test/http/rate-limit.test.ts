import { describe, expect, it, onTestFinished } from 'vitest';
import { createRateLimit } from '../../src/http/door.js';
import { listen } from '../../src/http/listen.js';
import { aUser } from '../support/accounts.js';
import { aConversation } from '../support/conversation.js';
import { refusal } from '../support/failure.js';
import { aSession } from '../support/mcp.js';
import { soon } from '../support/patience.js';
import { aServer, dial, postHead } from '../support/server.js';
import { aService } from '../support/service.js';

describe('createRateLimit', () => {
  it('allows a minute’s worth at once, then one at a time', () => {
    let time = 0;
    const limit = createRateLimit(60, () => time);
    for (let number = 0; number < 60; number++) limit.take('a');
    expect(refusal(() => limit.take('a'))).toMatchObject({ code: 'rate_limited', fields: { retry_after: '1' } });
    limit.take('b');
    time = 1_000;
    limit.take('a');
    expect(refusal(() => limit.take('a')).code).toBe('rate_limited');
  });

  it('survives a clock that jumps back and forth', () => {
    let time = 1e12;
    const limit = createRateLimit(2, () => time);
    limit.take('a');
    time = 0;
    limit.take('a');
    refusal(() => limit.take('a'));
    time = 2e12;
    limit.take('a');
  });

  it('says how long to wait', () => {
    const limit = createRateLimit(1, () => 0);
    limit.take('a');
    expect(refusal(() => limit.take('a')).fields).toEqual({ retry_after: '60' });
  });
});

describe('api.rate_limits', () => {
  it('count each token for itself and say when to come back', async () => {
    const rate_limits = { enabled: 'on', per_token: 2, per_address: 1_000 } as const;
    const service = await aService({ api: { auth: 'bearer_token', rate_limits } });
    const [anna, bert] = [await aUser(service, 'anna'), await aUser(service, 'bert')];
    const answers = [];
    for (let number = 0; number < 3; number++) answers.push(await anna.get('/memory/projects'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers.get('retry-after')).toBe('30');
    expect(answers[2]?.body).toMatchObject({ error_code: 'rate_limited' });
    expect((await bert.get('/memory/projects')).status).toBe(200);
  });

  it('count an address that guesses tokens', async () => {
    const rate_limits = { enabled: 'on', per_address: 3 } as const;
    const server = await aServer({ api: { auth: 'bearer_token', rate_limits } });
    const statuses: number[] = [];
    for (let number = 0; number < 5; number++) {
      const headers = { authorization: `Bearer tk_${'x'.repeat(43)}` };
      statuses.push((await fetch(`${server.url}/memory/projects`, { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it('are off on this machine unless asked for', async () => {
    const service = await aService({ api: { rate_limits: { per_address: 1 } } });
    for (let number = 0; number < 5; number++) expect((await service.send('/memory/projects')).status).toBe(200);
  });
});

describe('limits', () => {
  it('turn away more requests at a time than there is room for', async () => {
    const service = await aService({ limits: { max_concurrent_requests: 2 } });
    const asking = Array.from({ length: 8 }, (_, number) =>
      service.request('/memory/insert', aConversation({ title: String(number) })),
    );
    const statuses = (await Promise.all(asking)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
    expect((await service.request('/memory/insert', aConversation())).status).toBe(200);
  });

  it('cut off a client that sends its headers drop by drop', async () => {
    const server = await aServer({ limits: { header_timeout_ms: 300 } });
    const client = await dial(server.url);
    client.send('POST /memory/insert HTTP/1.1\r\nHost: 127.0');
    await client.closed;
    expect(client.status()).toBe(408);
  });

  it('cut off a client that does not send its body', async () => {
    const server = await aServer({ limits: { header_timeout_ms: 300, request_timeout_ms: 600 } });
    const client = await dial(server.url);
    client.send(postHead('/memory/insert', 'Content-Length: 100'), '{"messages": [');
    await client.closed;
    expect([400, 408]).toContain(client.status());
  });

  it('cut off a client that does not read its answer', async () => {
    const part = new Uint8Array(1_000_000);
    let givenUp = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(part),
      cancel: () => {
        givenUp = true;
      },
    });
    const limits = { maxHeaderBytes: 2_048, headersTimeout: 9_000, requestTimeout: 9_000, maxConnections: 5 };
    const app = { fetch: () => new Response(endless) };
    const server = await listen(app, { host: '127.0.0.1', port: 0 }, { ...limits, responseTimeout: 300 });
    onTestFinished(server.close);
    const client = await dial(server.url);
    client.send('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await expect.poll(client.status, soon).toBe(200);
    client.socket.pause();
    await expect.poll(() => givenUp, soon).toBe(true);
    // What the system has taken in arrives when the client reads again, and then the end of the connection.
    client.socket.resume();
    await client.closed;
  });

  it('leave a client alone that waits for news', async () => {
    const server = await aServer({ limits: { response_timeout_ms: 200 } });
    const session = await aSession({ app: { request: (path, init) => fetch(server.url + path, init) } });
    const headers = { accept: 'text/event-stream', 'mcp-session-id': session.id };
    const news = await fetch(`${server.url}/mcp`, { headers });
    const reader = news.body?.getReader();
    let ended = false;
    reader?.read().then(({ done }) => {
      ended = done;
    });
    const started = performance.now();
    await expect.poll(() => performance.now() - started, soon).toBeGreaterThan(600);
    expect(ended).toBe(false);
    await reader?.cancel();
  });

  it('close connections beyond the number that is allowed', async () => {
    const server = await aServer({ limits: { max_connections: 2 } });
    const [, , third] = [await dial(server.url), await dial(server.url), await dial(server.url)];
    await third?.closed;
    expect(third?.received()).toBe('');
  });

  it('refuse headers that are too large', async () => {
    const server = await aServer({ limits: { max_header_bytes: 2_048 } });
    const client = await dial(server.url);
    client.send(postHead('/memory/insert', `X-Large: ${'x'.repeat(4_000)}`));
    await expect.poll(client.status, soon).toBe(431);
  });
});

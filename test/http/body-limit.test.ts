import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aNote } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aServer, dial, postHead, startServer, type TestServer } from '../support/server.js';

const limit = 100_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ limits: { max_body_bytes: limit } });
});
afterAll(() => server.remove());

const chunk = (size: number): string => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

// Reference bug 40: a body of any size was read and parsed before its size was looked at.
describe('a body that is too large', () => {
  it('is refused by its declared length before any of it is sent', async () => {
    const line = await dial(server.url);
    line.send(postHead('/memory/insert', `Content-Length: ${limit + 1}`));
    await expect.poll(line.status, soon).toBe(413);
    expect(JSON.parse(line.body())).toMatchObject({ status: 'error', error_code: 'payload_too_large' });
    await line.closed;
  });

  it('is refused while it is sent in chunks, long before its end', async () => {
    const line = await dial(server.url);
    line.send(postHead('/memory/insert', 'Transfer-Encoding: chunked'));
    for (let sent = 0; sent <= limit; sent += 20_000) line.send(chunk(20_000));
    // The last chunk is never sent: the answer does not wait for it.
    await expect.poll(line.status, soon).toBe(413);
    expect(line.received()).toMatch(/^connection: close\r$/im);
    await line.closed;
  });

  it('does not harm the requests after it', async () => {
    const large = await server.post('/memory/insert', aNote('x'.repeat(limit)));
    expect(large.status).toBe(413);
    expect((await server.post('/memory/insert', aNote('small'))).status).toBe(200);
  });
});

describe('a body within the limit', () => {
  it('is read in chunks', async () => {
    const line = await dial(server.url);
    const [first, second] = ['{"query":', '"bicycle"}'];
    const part = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    line.send(
      postHead('/memory/search', 'Transfer-Encoding: chunked'),
      part(first ?? ''),
      part(second ?? ''),
      '0\r\n\r\n',
    );
    await expect.poll(line.status, soon).toBe(200);
  });

  it('is read up to the last allowed byte', async () => {
    const empty = JSON.stringify(aNote('')).length;
    expect((await server.post('/memory/insert', aNote('x'.repeat(limit - empty)))).status).toBe(200);
    expect((await server.post('/memory/insert', aNote('y'.repeat(limit - empty + 1)))).status).toBe(413);
  });
});

describe('a broken request', () => {
  it.each([
    ['both lengths', postHead('/memory/search', 'Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['a host that is none', 'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
  ])('with %s gets a 4xx and leaves the server well', async (_, text) => {
    const line = await dial(server.url);
    line.send(text);
    await expect.poll(line.status, soon).toBeGreaterThanOrEqual(400);
    expect(line.status()).toBeLessThan(500);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it('that ends in the middle of its body leaves the server well, and is no error of ours', async () => {
    const server = await aServer();
    const line = await dial(server.url);
    line.send(postHead('/memory/insert', 'Content-Length: 100'), '{"messages":');
    line.socket.destroy();
    await line.closed;
    expect((await server.post('/memory/insert', aNote('Still here'))).status).toBe(200);
    await server.close();
    expect(await server.logText()).toBe('');
  });
});

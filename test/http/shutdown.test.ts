import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../src/app/serve.js';
import { aNote } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aServer, dial, postHead } from '../support/server.js';
import { aFolder, aService, configIn } from '../support/service.js';

/** Node keeps an idle connection for five seconds; closing itself takes what it takes on this machine. */
let tooLong = 4_500;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-test-'));
  const serving = await serve(await configIn(folder, { api: { port: 0 }, observability: { log_level: 'error' } }));
  const started = performance.now();
  await serving.close();
  tooLong += performance.now() - started;
  await rm(folder, { recursive: true, force: true });
});

describe('closing the server', () => {
  it('finishes an insert that is under way', async () => {
    const folder = await aFolder();
    const observability = { log_level: 'error' } as const;
    const serving = await serve(await configIn(folder, { api: { port: 0 }, observability }));
    const body = JSON.stringify(aNote('The spare key hangs behind the clock.'));
    const line = await dial(serving.url);
    line.send(postHead('/memory/insert', `Content-Length: ${body.length}`), body.slice(0, 10));
    // The server has accepted the request once it asks for no more than its body.
    await (await fetch(`${serving.url}/health`)).text();
    const closed = serving.close();
    line.send(body.slice(10));
    await expect.poll(line.status, soon).toBe(200);
    await closed;
    const later = await aService({}, { folder });
    expect((await later.search({ query: 'spare key' })).results).toHaveLength(1);
  });

  it('does not wait for connections that are kept open', async () => {
    const server = await aServer();
    await (await fetch(`${server.url}/health`)).text();
    const started = performance.now();
    await server.close();
    expect(performance.now() - started).toBeLessThan(tooLong);
  });

  it('does not wait for the client of a finished request to hang up', async () => {
    const server = await aServer();
    const body = JSON.stringify(aNote('Short'));
    const line = await dial(server.url);
    line.send(postHead('/memory/insert', `Content-Length: ${body.length}`), body.slice(0, 5));
    await (await fetch(`${server.url}/health`)).text();
    const started = performance.now();
    const closed = server.close();
    line.send(body.slice(5));
    await closed;
    expect(line.status()).toBe(200);
    expect(performance.now() - started).toBeLessThan(tooLong);
  });

  it('does not wait for a connection that says nothing', async () => {
    const server = await aServer();
    await dial(server.url);
    await (await fetch(`${server.url}/health`)).text();
    const started = performance.now();
    await server.close();
    expect(performance.now() - started).toBeLessThan(tooLong);
  });

  it('accepts nothing new', async () => {
    const server = await aServer();
    await server.close();
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
  });
});

describe('an address', () => {
  it('of more than this machine is refused without authentication', async () => {
    const config = await configIn(await aFolder(), { api: { host: '0.0.0.0', port: 0 } });
    await expect(serve(config)).rejects.toMatchObject({ code: 'unsafe_address' });
  });

  it('that is taken is refused with a hint, and the stores are closed', async () => {
    const server = await aServer();
    const folder = await aFolder();
    const port = Number(new URL(server.url).port);
    const config = await configIn(folder, { api: { port }, observability: { log_level: 'error' } });
    await expect(serve(config)).rejects.toMatchObject({
      code: 'address_in_use',
      hint: expect.stringContaining(`${port + 1}`),
    });
    const free = await serve(await configIn(folder, { api: { port: 0 }, observability: { log_level: 'error' } }));
    await free.close();
  });
});

import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFolder, start, threadkeep, threadkeepJson } from './threadkeep.js';

describe('serve', () => {
  it('answers while the command line writes to the same data, and ends cleanly on SIGTERM', async () => {
    const folder = await aFolder();
    const server = start(folder, ['serve', '--port', '0', '--json']);
    const { status, url, mode } = JSON.parse(await server.firstOutput());
    expect({ status, mode }).toEqual({ status: 'ok', mode: 'ok' });

    const texts = ['The walrus sings at dawn.', 'The walrus sleeps at noon.', 'The walrus swims at dusk.'];
    const bodies = texts.map((text) => JSON.stringify([{ role: 'user', text }]));
    const [posted, ...ingested] = await Promise.all(
      bodies.map((body, index) => (index === 0 ? post(`${url}/memory/insert`, body) : ingest(folder, body))),
    );
    const found = await post(`${url}/memory/search`, JSON.stringify({ query: 'walrus', top_k: 10 }));
    const ids = (found.results as { id: string }[]).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([posted, ...ingested].map((answer) => answer?.id)));

    const searched = await threadkeepJson(folder, ['search', 'walrus']);
    expect(searched.json.results).toHaveLength(3);

    server.child.kill('SIGTERM');
    const { code, stdout } = await server.ended;
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 1 });
  });

  it('greets with its address, its data and something to try, without colours in a pipe', async () => {
    const folder = await aFolder();
    const server = start(folder, ['serve', '--port', '0']);
    const greeting = await server.firstOutput();
    const [, url = ''] = /^Threadkeep is listening on (\S+)\n/.exec(greeting) ?? [];
    expect(greeting).toMatch(/^data {2}.*data$/m);
    expect(greeting).toContain(`${url}/docs`);
    expect(greeting).toContain(`curl ${url}/memory/insert`);
    expect(greeting).not.toContain(String.fromCharCode(27));
    server.child.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
  });

  it('treats a signal that arrives twice as one request', async () => {
    const server = start(await aFolder(), ['serve', '--port', '0', '--quiet', '--json']);
    await server.firstOutput();
    server.child.kill('SIGINT');
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  it('ends when a store takes the connection and never says a word', async () => {
    const mute = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => {
      mute.close();
    });
    const { port } = mute.address() as { port: number };
    const config = {
      providers: { vector_db: 'qdrant' },
      storage: {
        // The local metadata store has the same limit and must stay within it on a busy machine.
        timeout_ms: 1_000,
        vector: { allow_fallback: false },
        vector_providers: { qdrant: { url: `http://127.0.0.1:${port}` } },
      },
    };
    const folder = await aFolder({ 'config.yaml': JSON.stringify(config) });
    const { code, stderr } = await threadkeep(folder, ['search', 'walrus']);
    expect(code).toBe(78);
    expect(stderr).toContain('The vector store did not answer within 10000 ms.');
  });

  it('says which port is taken, with exit code 78', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    onTestFinished(() => {
      holder.close();
    });
    const { port } = holder.address() as { port: number };
    const { code, stdout, stderr } = await threadkeep(await aFolder(), ['serve', '--port', String(port)]);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toContain(`error: Port ${port} on 127.0.0.1 is in use.\n`);
    expect(stderr).toContain('\n  hint: ');
  });

  it('does not listen beyond this machine without authentication', async () => {
    const { code, json } = await threadkeepJson(await aFolder(), ['serve', '--host', '0.0.0.0', '--port', '0']);
    expect({ code, error: json.error_code }).toEqual({ code: 78, error: 'unsafe_address' });
  });
});

async function post(url: string, body: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return (await answer.json()) as Record<string, unknown>;
}

async function ingest(folder: string, stdin: string): Promise<Record<string, unknown>> {
  return (await threadkeepJson(folder, ['ingest', '-'], { stdin })).json;
}

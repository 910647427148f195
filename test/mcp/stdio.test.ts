import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { aFolder, start, threadkeep } from '../cli/threadkeep.js';
import { aNote } from '../support/conversation.js';
import { opening, stateless } from '../support/mcp.js';
import { soon } from '../support/patience.js';
import type { Body } from '../support/service.js';

const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const init = { jsonrpc: '2.0', id: 0, method: 'initialize', params: opening };
const insert = (id: number, text: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'memory_insert', arguments: { conversation_json: aNote(text) } },
});
const search = (id: number, query: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'memory_search', arguments: { query, top_k: 10 } },
});

describe('threadkeep mcp', { timeout: 120_000 }, () => {
  it('answers all that was asked before the input ended, and nothing else on standard output', async () => {
    const stdin = lines(init, insert(1, 'The heron stands still.'), { jsonrpc: '2.0', id: 2, method: 'tools/list' });
    const { code, stdout, stderr } = await threadkeep(await aFolder(), ['mcp', '--verbose'], { stdin });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Body);
    expect(answers.map(({ id }) => id).sort()).toEqual([0, 1, 2]);
    expect(code).toBe(0);
    expect(stderr).toContain('mcp_tool_call');
    expect(stderr).not.toContain('heron');
  });

  it('speaks the stateless era when the first message does', async () => {
    const stdin = lines({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: stateless } });
    const { stdout } = await threadkeep(await aFolder(), ['mcp'], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { supportedVersions: ['2026-07-28'] } });
  });

  it('shares its data with a running server: each finds what the other stored, whatever the order', async () => {
    const folder = await aFolder();
    const server = start(folder, ['serve', '--port', '0', '--json']);
    const { url } = JSON.parse(await server.firstOutput()) as { url: string };
    const post = async (path: string, body: object): Promise<Body> => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<Body>;
    };
    const client = openClient(folder);
    await client.ask(init);

    const mine = Array.from({ length: 10 }, (_, index) => client.ask(insert(index + 1, `The stork number ${index}.`)));
    const theirs = Array.from({ length: 10 }, (_, index) =>
      post('/memory/insert', aNote(`The crane number ${index}.`)),
    );
    await Promise.all([...mine, ...theirs]);

    const found = (answer: Body) => (answer.results as Body[]).length;
    const overHttp = await post('/memory/search', { query: 'stork number', top_k: 10, include_messages: false });
    expect((overHttp.results as { text: string }[]).filter(({ text }) => text.includes('stork'))).toHaveLength(10);
    const overStdio = (await client.ask(search(99, 'crane number'))) as { result: { structuredContent: Body } };
    const items = overStdio.result.structuredContent.results as { text: string }[];
    expect(items.filter(({ text }) => text.includes('crane'))).toHaveLength(10);
    expect(found(overStdio.result.structuredContent)).toBe(10);

    // Every chunk reaches the shared index once.
    await expect
      .poll(async () => ((await (await fetch(`${url}/ready`)).json()) as { health: Body }).health.pending_chunks, soon)
      .toBe(0);
    client.child.stdin.end();
    expect(await client.code).toBe(0);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  it('indexes what an earlier end left behind when it is alone', async () => {
    const folder = await aFolder();
    const client = openClient(folder);
    await client.ask(init);
    await client.ask(insert(1, 'The ibis wades.'));
    client.child.kill('SIGKILL');
    await client.code;
    const { stdout } = await threadkeep(folder, ['mcp'], { stdin: lines(init, search(1, 'ibis')) });
    expect(stdout).toContain('The ibis wades.');
    const health = JSON.parse((await threadkeep(folder, ['health', '--json'])).stdout) as { health: Body };
    expect(health.health.pending_chunks).toBe(0);
  });

  it('does not start when MCP is switched off', async () => {
    const folder = await aFolder({ 'config.yaml': 'interfaces: { mcp: false }\n' });
    const { code, stdout, stderr } = await threadkeep(folder, ['mcp']);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toContain('interfaces.mcp is false');
  });

  it('is not served when everything is switched off', async () => {
    const folder = await aFolder({ 'config.yaml': 'interfaces: { mcp: false, api: false }\n' });
    const { code, stderr } = await threadkeep(folder, ['serve', '--port', '0']);
    expect(code).toBe(78);
    expect(stderr).toContain('there is nothing to serve');
  });
});

/** A client that keeps its end open. */
function openClient(folder: string) {
  const { child, ended } = start(folder, ['mcp'], { keepOpen: true });
  const waiting = new Map<unknown, (answer: Body) => void>();
  let rest = '';
  child.stdout.on('data', (part: Buffer) => {
    const pieces = (rest + part.toString()).split('\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      const answer = JSON.parse(piece) as Body;
      waiting.get(answer.id)?.(answer);
    }
  });
  return {
    child,
    code: ended.then(({ code }) => code),
    async ask(message: { id: number }): Promise<Body> {
      const answer = new Promise<Body>((resolve) => waiting.set(message.id, resolve));
      if (!child.stdin.write(lines(message))) await once(child.stdin, 'drain');
      return answer;
    },
  };
}

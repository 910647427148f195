import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientList } from '../../src/app/client-connections.js';
import { aUser, bearer } from '../support/accounts.js';
import { aService, type TestService } from '../support/service.js';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'threadkeep-home-'));
  vi.stubEnv('HOME', home);
  for (const name of ['XDG_CONFIG_HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME']) vi.stubEnv(name, '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const listOf = async ({ send }: TestService): Promise<ClientList> =>
  (await send('/clients')).body as unknown as ClientList;
const named = ({ clients }: ClientList, name: string) => clients.find(({ client }) => client === name);

describe('GET /clients', () => {
  it('says for each client what to put where, and which are on this machine', async () => {
    await mkdir(join(home, '.cursor'));
    const list = await listOf(await aService());
    expect(list.url).toBe('http://127.0.0.1:8000/mcp');
    expect(list.may_write).toBe(true);
    expect(named(list, 'cursor')).toMatchObject({
      title: 'Cursor',
      transport: 'http',
      file: join(home, '.cursor', 'mcp.json'),
      installed: true,
      connected: false,
    });
    expect(named(list, 'cursor')?.snippet).toContain('http://127.0.0.1:8000/mcp');
    expect(named(list, 'claude-desktop')).toMatchObject({ transport: 'stdio', installed: false });
    expect(named(list, 'claude-code')?.command).toContain('claude mcp add');
  });

  it('tells users of a shared server nothing of its folders', async () => {
    const service = await aService(bearer);
    const nora = await aUser(service, 'nora');
    const { body } = await nora.get('/clients');
    expect(named(body as unknown as ClientList, 'claude-desktop')).toBeUndefined();
    expect(JSON.stringify(body)).not.toContain('DATA_DIR');
  });

  it('says when a client was last seen, only to its own user', async () => {
    const service = await aService(bearer);
    const nora = await aUser(service, 'nora');
    const omar = await aUser(service, 'omar');
    for (const name of ['cursor-vscode', 'my-own-script']) {
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1.2' } };
      const headers = {
        authorization: `Bearer ${nora.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      expect((await service.send('/mcp', { method: 'POST', headers, body })).status).toBe(200);
    }
    const hers = (await nora.get('/clients')).body as unknown as ClientList;
    expect(named(hers, 'cursor')?.last_seen).toMatch(/^\d{4}-/);
    expect(hers.others).toEqual([{ name: 'my-own-script', version: '1.2', last_seen: expect.any(String) }]);
    const his = (await omar.get('/clients')).body as unknown as ClientList;
    expect(named(his, 'cursor')?.last_seen).toBeUndefined();
    expect(his.others).toEqual([]);
    // Whose files they are is no business of a token.
    expect(his.may_write).toBe(false);
    expect(named(his, 'cursor')).not.toHaveProperty('file');
  });
});

describe('POST /clients/{client}/connect', () => {
  it('adds the entry to existing settings, and disconnect removes it', async () => {
    const file = join(home, '.cursor', 'mcp.json');
    await mkdir(join(home, '.cursor'));
    const before = `${JSON.stringify({ mcpServers: { other: { url: 'http://other' } } }, null, 2)}\n`;
    await writeFile(file, before);
    const service = await aService();
    const { status, body } = await service.request('/clients/cursor/connect', {});
    expect({ status, ...body }).toMatchObject({ status: 'ok', changed: true, file });
    expect(JSON.parse(await readFile(file, 'utf8')).mcpServers).toEqual({
      other: { url: 'http://other' },
      threadkeep: { url: 'http://127.0.0.1:8000/mcp' },
    });
    expect(await readFile(String(body.backup), 'utf8')).toBe(before);
    expect(named(await listOf(service), 'cursor')?.connected).toBe(true);
    expect((await service.request('/clients/cursor/disconnect', {})).body.changed).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('writes its own address, not the one in the request', async () => {
    const { app } = await aService();
    const headers = { 'content-type': 'application/json', host: 'localhost:9999' };
    const answer = await app.request('http://localhost:9999/clients/cursor/connect', {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(answer.status).toBe(200);
    expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).toContain('http://127.0.0.1:8000/mcp');
  });

  it('leaves settings that it cannot read alone, and says so', async () => {
    await mkdir(join(home, '.cursor'));
    await writeFile(join(home, '.cursor', 'mcp.json'), '{ "mine"\n}');
    const { status, body } = await (await aService()).request('/clients/cursor/connect', {});
    expect(status).toBe(409);
    expect(body.error_message).toContain('were not changed');
    expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).toBe('{ "mine"\n}');
  });

  it('refuses clients that are unknown or have no file', async () => {
    const service = await aService();
    expect((await service.request('/clients/constructor/connect', {})).status).toBe(404);
    expect((await service.request('/clients/chatgpt/connect', {})).status).toBe(409);
  });

  it('writes no temporary folder into lasting settings', async () => {
    // Nothing is there, and nothing is made.
    vi.stubEnv('HOME', '/home/threadkeep-nobody');
    const { status, body } = await (await aService()).request('/clients/claude-desktop/connect', {});
    expect({ ...body, status }).toMatchObject({ status: 409, error_code: 'conflict' });
    expect(body.error_message).toContain('temporary folder');
    await expect(readFile('/home/threadkeep-nobody')).rejects.toThrow('ENOENT');
  });

  it('writes only for the local user', async () => {
    const service = await aService(bearer);
    const operator = await aUser(service, 'nora', ['service:operate']);
    expect((await operator.post('/clients/cursor/connect', {})).body.error_code).toBe('permission_denied');
    const reader = await aUser(service, 'nora', ['memory:read', 'memory:write', 'memory:manage']);
    expect((await reader.post('/clients/cursor/connect', {})).body.error_code).toBe('insufficient_scope');
    await expect(readFile(join(home, '.cursor', 'mcp.json'))).rejects.toThrow();
  });

  it('is not for pages of other sites', async () => {
    const { send } = await aService();
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example' };
    const answer = await send('/clients/cursor/connect', { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(403);
    const plain = await send('/clients/cursor/connect', { method: 'POST', headers: { 'content-type': 'text/plain' } });
    expect(plain.status).toBeGreaterThanOrEqual(400);
    expect((await send('/clients')).body.clients).not.toContainEqual(expect.objectContaining({ connected: true }));
  });
});

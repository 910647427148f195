import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToken } from '../../src/auth/tokens.js';
import { createUser } from '../../src/auth/users.js';
import { accountsIn } from '../support/accounts.js';
import { aFolder, start, threadkeep, threadkeepJson } from './threadkeep.js';

const note = JSON.stringify([{ role: 'user', text: 'The walrus sings at dawn.' }]);

async function aServer(folder: string, environment: Record<string, string> = {}) {
  const server = start(folder, ['serve', '--port', '0', '--json'], { environment });
  await server.firstOutput();
  return server;
}

async function addressIn(folder: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, 'data', 'server.json'), 'utf8')) as Record<string, unknown>;
}

/** A folder that holds nothing but the address of a server: whatever is answered there was answered by the server. */
async function onlyAddress(folder: string): Promise<string> {
  const elsewhere = await aFolder({ 'server.json': await readFile(join(folder, 'data', 'server.json')) });
  return elsewhere;
}

describe('a command beside a running server', () => {
  it('is answered by it, with the same rights and the same answers', async () => {
    const folder = await aFolder();
    await threadkeep(folder, ['ingest', '-'], { stdin: note });
    const direct = await threadkeepJson(folder, ['search', 'walrus']);
    const server = await aServer(folder);
    expect((await stat(join(folder, 'data', 'server.json'))).mode & 0o777).toBe(0o600);
    expect((await threadkeepJson(folder, ['search', 'walrus'])).json).toEqual(direct.json);

    const elsewhere = ['--data', await onlyAddress(folder)];
    expect((await threadkeepJson(folder, ['search', 'walrus', ...elsewhere])).json).toEqual(direct.json);
    expect((await threadkeepJson(folder, ['ask', 'When does the walrus sing?', ...elsewhere])).code).toBe(0);
    expect((await threadkeepJson(folder, ['ingest', '-', ...elsewhere], { stdin: note })).json).toMatchObject({
      deduplicated: true,
    });
    const refused = await threadkeepJson(folder, ['retrieve', '3b241101-e2bb-4255-8caf-4136c566a962', ...elsewhere]);
    expect(refused).toMatchObject({ code: 1, json: { error_code: 'not_found' } });
    const { json } = await threadkeepJson(folder, ['where']);
    expect(json).toMatchObject({ server: { pid: server.child.pid } });

    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await expect(stat(join(folder, 'data', 'server.json'))).rejects.toThrow('ENOENT');
  });

  it('acts for the holder of a token', async () => {
    const folder = await aFolder();
    const { administration } = await accountsIn(folder);
    await createUser(administration, { name: 'nora' });
    const { token: raw } = await createToken(administration, { user: 'nora' });
    await threadkeep(folder, ['ingest', '-'], { stdin: note });
    await aServer(folder);
    const elsewhere = ['--data', await onlyAddress(folder)];
    const environment = { THREADKEEP_TOKEN: raw };
    expect((await threadkeepJson(folder, ['search', 'walrus', ...elsewhere], { environment })).json.results).toEqual(
      [],
    );
    const wrong = { THREADKEEP_TOKEN: `${raw.slice(0, -2)}xx` };
    const refused = await threadkeepJson(folder, ['search', 'walrus', ...elsewhere], { environment: wrong });
    expect(refused).toMatchObject({ code: 1, json: { error_code: 'unauthenticated' } });
  });

  it('opens the stores itself where its settings are others', async () => {
    const folder = await aFolder();
    await aServer(folder);
    const environment = { THREADKEEP_STORAGE__DRY_RUN: 'true' };
    const { json } = await threadkeepJson(folder, ['ingest', '-'], { stdin: note, environment });
    expect(json).toMatchObject({ dry_run: true });
    expect((await threadkeepJson(folder, ['search', 'walrus'])).json.results).toEqual([]);
  });

  it('is answered by it from another folder, whose settings are spelled otherwise but mean the same', async () => {
    const config = await readFile(new URL('../../config.yaml', import.meta.url));
    const folder = await aFolder({ 'config.yaml': config });
    await aServer(folder);
    await threadkeep(folder, ['ingest', '-'], { stdin: note });
    const elsewhere = ['--data', await onlyAddress(folder)];
    const environment = { THREADKEEP_RETRIEVAL__KEYWORD_WEIGHT: '0.25' };
    const files = [{}, { 'config.yaml': 'api: { port: 1 }\nlimits: { max_connections: 7 }' }];
    for (const other of files) {
      const found = await threadkeepJson(await aFolder(other), ['search', 'walrus', ...elsewhere], { environment });
      expect(found.json.results).toHaveLength(1);
    }
  });

  it('opens the stores itself where the same text means others in its folder', async () => {
    const environment = { THREADKEEP_STORAGE__METADATA_PROVIDERS__SQLITE__PATH: './own.sqlite3' };
    const folder = await aFolder();
    await aServer(folder, environment);
    await threadkeep(folder, ['ingest', '-'], { stdin: note, environment });
    expect((await threadkeepJson(folder, ['search', 'walrus'], { environment })).json.results).toHaveLength(1);
    const own = { ...environment, THREADKEEP_STORAGE__VECTOR_PROVIDERS__LANCEDB__PATH: './vectors' };
    const elsewhere = ['--data', await onlyAddress(folder)];
    for (const settings of [environment, own]) {
      const found = await threadkeepJson(await aFolder(), ['search', 'walrus', ...elsewhere], {
        environment: settings,
      });
      expect(found.json.results).toEqual([]);
    }
  });

  it('refuses requests without the secret', async () => {
    const folder = await aFolder();
    await aServer(folder);
    const { port, secret } = await addressIn(folder);
    const call = (authorization: string) =>
      fetch(`http://127.0.0.1:${port}/call`, {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify({ verb: 'search', payload: { query: 'walrus' } }),
      });
    expect((await call('')).status).toBe(403);
    expect((await call('Bearer guessed')).status).toBe(403);
    expect((await call(`Bearer ${secret}`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/hello/x`)).status).toBe(200);
    expect(await (await fetch(`http://127.0.0.1:${port}/hello/x`)).text()).not.toContain(String(secret));
  });

  it('tells nothing to another program that has the port of a server that crashed', async () => {
    const folder = await aFolder();
    const server = await aServer(folder);
    const left = await addressIn(folder);
    server.child.kill('SIGKILL');
    await server.ended;
    await threadkeep(folder, ['ingest', '-'], { stdin: note });
    const heard: string[] = [];
    const stranger = createServer((request, response) => {
      heard.push(`${request.method} ${request.headers.authorization ?? ''}`);
      response.end('{"proof":"none"}');
    }).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    onTestFinished(() => {
      stranger.close();
    });
    const { port } = stranger.address() as AddressInfo;
    await writeFile(join(folder, 'data', 'server.json'), JSON.stringify({ ...left, port }));
    expect((await threadkeepJson(folder, ['search', 'walrus'])).json.results).toHaveLength(1);
    expect(heard).toEqual(['GET ']);
  });
});

describe('where', () => {
  it('names the rule for each folder, and a memory of an earlier version in the working directory', async () => {
    const folder = await aFolder();
    await threadkeep(folder, ['ingest', '-'], { stdin: note });
    const environment = { THREADKEEP_PATHS__DATA_DIR: undefined, THREADKEEP_PATHS__LOGS_DIR: undefined, HOME: folder };
    const own = { ...environment, XDG_DATA_HOME: join(folder, 'share'), XDG_STATE_HOME: join(folder, 'state') };
    const { json } = await threadkeepJson(folder, ['where'], { environment: own });
    expect(json).toMatchObject({
      data: { path: join(folder, 'share', 'threadkeep'), chosen_by: 'user', exists: false },
      logs: { path: join(folder, 'state', 'threadkeep', 'logs'), chosen_by: 'user' },
      earlier_data: join(folder, 'data'),
    });
    const searched = await threadkeep(folder, ['search', 'walrus'], { environment: own });
    expect(searched.stdout).toBe('no results\nIf nothing is stored yet: threadkeep import auto\n');
    expect(searched.stderr).toContain(`note: ${join(folder, 'data')} holds data of an earlier version`);
    const found = await threadkeepJson(folder, ['search', 'walrus', '--data', 'data'], { environment: own });
    expect(found.json.results).toHaveLength(1);
    const { json: flag } = await threadkeepJson(folder, ['--data', 'data', 'where'], { environment: own });
    expect(flag).toMatchObject({ data: { path: join(folder, 'data'), chosen_by: 'flag', exists: true } });
    expect(flag).not.toHaveProperty('earlier_data');
  });
});

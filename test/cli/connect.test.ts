import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withEntry } from '../../src/cli/connect/add-entry.js';
import { clients } from '../../src/cli/connect/clients.js';
import { refusal } from '../support/failure.js';
import { aFolder, program, threadkeepJson } from './threadkeep.js';

const names = Object.keys(clients);
const page = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

async function connect(folder: string, ...args: string[]) {
  return threadkeepJson(folder, ['connect', ...args], { environment: { HOME: folder, XDG_CONFIG_HOME: '' } });
}

describe('connect', { timeout: 60_000 }, () => {
  it('prints what the manual shows for every client', async () => {
    const folder = await aFolder();
    for (const name of names.filter((each) => clients[each]?.file !== undefined)) {
      const { json } = await connect(folder, name);
      const shown = String(json.snippet)
        .replaceAll(process.execPath, '/usr/bin/node')
        .replaceAll(program, '/home/me/threadkeep/dist/main.js')
        .replaceAll(folder, '/home/me/threadkeep');
      const [, manual] = new RegExp(`<!-- connect: ${name} -->\n\`\`\`\\w+\n([^]*?)\n\`\`\``).exec(page) ?? [];
      expect({ name, shown }).toEqual({ name, shown: manual });
      if (json.command !== undefined) expect(page).toContain(`\`${json.command}\``);
    }
  });

  it('gives ChatGPT its address and what to do with it', async () => {
    const { json } = await connect(await aFolder(), 'chatgpt', '--url', 'https://memory.example.org/');
    expect(json).toMatchObject({
      snippet: 'https://memory.example.org/mcp',
      next: expect.stringContaining('Developer mode'),
    });
  });

  it('writes beside what is there, keeps a copy, and changes nothing the second time', async () => {
    const folder = await aFolder();
    const { json: shown } = await connect(folder, 'gemini-cli');
    const file = String(shown.file);
    const written = await connect(folder, 'gemini-cli', '--write');
    expect(written.json).toMatchObject({ status: 'ok', changed: true });
    const before = { theme: 'dark', mcpServers: { other: { command: 'x' } } };
    await writeFile(file, JSON.stringify(before, null, 4), { mode: 0o600 });
    const { json } = await connect(folder, 'gemini-cli', '--write');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      theme: 'dark',
      mcpServers: { other: { command: 'x' }, threadkeep: { httpUrl: 'http://127.0.0.1:8000/mcp' } },
    });
    expect(await readFile(file, 'utf8')).toContain('\n    "theme"');
    expect(JSON.parse(await readFile(String(json.backup), 'utf8'))).toEqual(before);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await connect(folder, 'gemini-cli', '--write')).json).toMatchObject({ changed: false });
    expect(dirname(file)).toBe(join(folder, '.gemini'));
  });

  it('passes on the configuration that a started program needs', async () => {
    const folder = await aFolder({ 'config.yaml': 'api: { port: 9000 }\n' });
    const { json } = await connect(folder, 'cursor', '--stdio');
    expect(JSON.parse(String(json.snippet)).mcpServers.threadkeep).toEqual({
      command: process.execPath,
      args: [program, 'mcp', '--config', join(folder, 'config.yaml')],
      env: { THREADKEEP_PATHS__DATA_DIR: join(folder, 'data'), THREADKEEP_PATHS__LOGS_DIR: join(folder, 'logs') },
    });
    expect((await connect(folder, 'cursor')).json).toMatchObject({ snippet: expect.stringContaining(':9000/mcp') });
  });

  it('leaves room for a token where the server wants one', async () => {
    const folder = await aFolder({ 'config.yaml': 'api: { auth: bearer_token }\n' });
    expect((await connect(folder, 'vscode')).json.snippet).toContain('"Authorization": "Bearer <ACCESS_TOKEN>"');
    expect((await connect(folder, 'codex')).json.snippet).toContain('bearer_token_env_var = "MEMORY_ACCESS_TOKEN"');
  });

  it.each([
    ['an unknown client', ['netscape']],
    ['writing for a client without a file', ['chatgpt', '--write']],
    ['a program for a client that starts none', ['chatgpt', '--stdio']],
  ])('refuses %s', async (_, args) => {
    const { code, json } = await connect(await aFolder(), ...args);
    expect({ code, error: json.error_code }).toEqual({ code: 1, error: 'invalid_input' });
  });
});

describe('adding an entry', () => {
  const { codex, vscode } = clients;
  if (codex === undefined || vscode === undefined) throw new Error('the clients of this test are gone');

  it('leaves the other tables of TOML alone and replaces its own', () => {
    const before =
      'model = "x"\n\n[mcp_servers.threadkeep]\nurl = "old"\n\n[mcp_servers.threadkeep.env]\nA = "1"\n\n[tools]\nweb = true\n';
    expect(withEntry(before, codex, 'threadkeep', { url: 'new' })).toBe(
      'model = "x"\n\n[mcp_servers.threadkeep]\nurl = "new"\n\n[tools]\nweb = true\n',
    );
    expect(withEntry('', codex, 'threadkeep', { args: ['a b'], env: { B: '"' } })).toBe(
      '[mcp_servers.threadkeep]\nargs = ["a b"]\nenv = { B = "\\"" }\n',
    );
  });

  it('does not touch what it cannot read', () => {
    for (const text of ['{ // mine\n}', '[]', '{"servers": 5}']) {
      expect(refusal(() => withEntry(text, vscode, 'threadkeep', {})).message).toContain('left alone');
    }
  });

  it('keeps every client in the manual', () => {
    expect(names.filter((name) => !page.includes(clients[name]?.title ?? name))).toEqual([]);
  });
});

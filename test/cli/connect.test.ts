import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withChanged, withEntry, withoutEntry } from '../../src/cli/connect/add-entry.js';
import { clients, programCall, programPlace, temporaryPath } from '../../src/cli/connect/clients.js';
import { hooks } from '../../src/cli/connect/hooks.js';
import { plainJson } from '../../src/cli/connect/json-text.js';
import { refusal } from '../support/failure.js';
import { aFolder, program, threadkeepJson } from './threadkeep.js';

const names = Object.keys(clients);
const isTemporaryCheckout = temporaryPath([program], undefined) !== undefined;
const page = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

async function connect(folder: string, ...args: string[]) {
  return threadkeepJson(folder, ['connect', ...args], { environment: { HOME: folder, XDG_CONFIG_HOME: '' } });
}

describe('connect', () => {
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

  it('adds to existing settings, keeps a copy, and changes nothing the second time', async () => {
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

  it('keeps the first copy when it writes again, and writes nothing into settings that it does not understand', async () => {
    const folder = await aFolder();
    const file = join(folder, '.claude', 'settings.json');
    await mkdir(dirname(file));
    await writeFile(file, '{"theme":"dark"}');
    const first = await connect(folder, 'claude-code', '--hooks', '--write');
    expect(await readFile(String(first.json.backup), 'utf8')).toBe('{"theme":"dark"}');
    await writeFile(file, '{"theme":"light"}');
    const second = await connect(folder, 'claude-code', '--hooks', '--write');
    expect(await readFile(String(first.json.backup), 'utf8')).toBe('{"theme":"dark"}');
    expect(await readFile(String(second.json.backup), 'utf8')).toBe('{"theme":"light"}');
    await writeFile(file, '{"hooks":["mine"]}');
    const refused = await connect(folder, 'claude-code', '--hooks', '--write');
    expect(refused).toMatchObject({ code: 1, json: { error_message: expect.stringContaining('not changed') } });
    expect(await readFile(file, 'utf8')).toBe('{"hooks":["mine"]}');
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

  // In a temporary checkout the program itself would be refused, and there is no lasting folder to use as a home.
  it.skipIf(isTemporaryCheckout)('writes no temporary folder into lasting settings, unless it is told to', async () => {
    const folder = await aFolder();
    const home = await mkdtemp(fileURLToPath(new URL('../../node_modules/.threadkeep-home-', import.meta.url)));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const ours = { THREADKEEP_PATHS__LOGS_DIR: undefined };
    const environment = { HOME: home, XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: undefined, ...ours };
    const run = (...args: string[]) => threadkeepJson(folder, ['connect', ...args], { environment });
    for (const how of [['claude-desktop'], ['cursor', '--stdio'], ['claude-code', '--hooks']]) {
      const { code, json } = await run(...how, '--write');
      expect({ how, code, json }).toMatchObject({ how, code: 1, json: { error_code: 'invalid_input' } });
      expect(json.error_message).toContain(`${join(folder, 'data')}, which is in a temporary folder`);
      expect(json.error_message).toContain('--yes');
      expect(await readdir(home)).toEqual([]);
    }
    expect((await run('cursor', '--stdio')).json.warning).toContain('temporary folder');
    expect((await run('cursor', '--stdio', '--data', join(home, 'data'))).json).not.toHaveProperty('warning');
    expect((await run('cursor', '--write')).json).toMatchObject({ changed: true });
    expect((await run('claude-code', '--hooks', '--write', '--yes')).json).toMatchObject({ changed: true });
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
    ['what is no address', ['cursor', '--url', 'not-a-url']],
    ['an address that no client opens', ['cursor', '--url', 'ftp://memory.example.org']],
  ])('refuses %s', async (_, args) => {
    const { code, json } = await connect(await aFolder(), ...args);
    expect({ code, error: json.error_code }).toEqual({ code: 2, error: 'invalid_input' });
  });
});

describe('the program that a client starts', () => {
  it.each([
    ['/home/me/.npm/_npx/0f1/node_modules/threadkeep/dist/main.js', ['npx', '-y', 'threadkeep']],
    ['/home/me/.cache/pnpm/dlx-12/node_modules/threadkeep/dist/main.js', ['npx', '-y', 'threadkeep']],
    ['C:\\npm-cache\\_npx\\0f1\\threadkeep\\dist\\main.js', ['npx', '-y', 'threadkeep']],
    [
      '/usr/lib/node_modules/threadkeep/dist/main.js',
      [process.execPath, '/usr/lib/node_modules/threadkeep/dist/main.js'],
    ],
  ])('for %s is %j', (path, expected) => {
    expect(programCall(path)).toEqual(expected);
  });
});

describe('the folder of a program', () => {
  const home = '/home/me';

  it.each([
    ['.codex/sessions', {}, '/home/me/.codex/sessions'],
    ['.codex/sessions', { CODEX_HOME: '/else' }, '/else/sessions'],
    ['.codex/sessions', { CODEX_HOME: '' }, '/home/me/.codex/sessions'],
    ['.claude/projects', { CLAUDE_CONFIG_DIR: '/else' }, '/else/projects'],
    ['.gemini/tmp', { CODEX_HOME: '/else', CLAUDE_CONFIG_DIR: '/else' }, '/home/me/.gemini/tmp'],
  ])('for %s with %j is %s', (place, environment, expected) => {
    expect(programPlace(place, { home, environment })).toBe(join(expected));
  });

  it('is where --write goes too', async () => {
    const folder = await aFolder();
    const environment = { HOME: folder, CLAUDE_CONFIG_DIR: join(folder, 'moved') };
    const shown = await Promise.all(
      [[], ['--hooks']].map((how) => threadkeepJson(folder, ['connect', 'claude-code', ...how], { environment })),
    );
    expect(shown.map(({ json }) => json.file)).toEqual([
      join(folder, 'moved', '.claude.json'),
      join(folder, 'moved', 'settings.json'),
    ]);
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

  it.each([
    [
      'quotes around the name',
      '[mcp_servers."threadkeep"]\nurl = "old"\n',
      '[mcp_servers."threadkeep"]\nurl = "new"\n',
    ],
    [
      'spaces and a comment',
      ' [ mcp_servers . threadkeep ] # mine\n',
      ' [ mcp_servers . threadkeep ] # mine\nurl = "new"\n',
    ],
    [
      'other keys and the comment of the next table',
      '[mcp_servers.threadkeep]\nurl = "old"\nstartup_timeout_sec = 20\n\n# Tools\n[tools]\n',
      '[mcp_servers.threadkeep]\nurl = "new"\nstartup_timeout_sec = 20\n\n# Tools\n[tools]\n',
    ],
    [
      'the way it was connected before',
      '[mcp_servers.threadkeep]\ncommand = "x"\nargs = [\n  "[a]", # ]\n  \'b\',\n]\nenv.A = "1"\n\n# Mine\n[x]\n',
      '[mcp_servers.threadkeep]\nurl = "new"\n\n# Mine\n[x]\n',
    ],
    [
      'lines in a text that look like a table',
      'notes = """\n[mcp_servers.threadkeep]\nurl = "old"\n"""\n',
      'notes = """\n[mcp_servers.threadkeep]\nurl = "old"\n"""\n\n[mcp_servers.threadkeep]\nurl = "new"\n',
    ],
    [
      'a sub-table alone, and one that is not ours',
      '[mcp_servers.threadkeep.env]\nA = "1"\n\n[mcp_servers.threadkeep.tools.ask]\napproval_mode = "approve"\n',
      '[mcp_servers.threadkeep.tools.ask]\napproval_mode = "approve"\n\n[mcp_servers.threadkeep]\nurl = "new"\n',
    ],
  ])('changes TOML with %s, once', (_, before, after) => {
    expect(withEntry(before, codex, 'threadkeep', { url: 'new' })).toBe(after);
    expect(withEntry(after, codex, 'threadkeep', { url: 'new' })).toBe(after);
  });

  it.each([
    'mcp_servers = { other = { command = "x" } }\n',
    '[mcp_servers]\nthreadkeep = { url = "old" }\n',
    '[mcp_servers]\nthreadkeep.url = "old"\n',
    'mcp_servers.threadkeep.url = "old"\n',
    '[[mcp_servers.threadkeep]]\nurl = "old"\n',
    'this is no TOML\n',
    'text = "it does not end\n',
  ])('leaves TOML alone to which no table can be added: %j', (before) => {
    expect(refusal(() => withEntry(before, codex, 'threadkeep', {})).message).toContain('not changed');
  });

  it('keeps what a person added to an entry of JSON', () => {
    const before = '{"servers":{"threadkeep":{"type":"stdio","command":"x","dev":{"watch":"src"}}}}';
    expect(JSON.parse(withEntry(before, vscode, 'threadkeep', { type: 'http', url: 'new' }))).toEqual({
      servers: { threadkeep: { type: 'http', url: 'new', dev: { watch: 'src' } } },
    });
  });

  it('does not touch what it cannot read', () => {
    for (const text of ['{ // mine', '{"a" 1}', '{"a": 1 "b": 2}', '[]', '{"servers": 5}']) {
      expect(refusal(() => withEntry(text, vscode, 'threadkeep', {})).message).toContain('not changed');
    }
  });

  it.each([
    ['{}'],
    ['{}\n'],
    ['{\n}\n'],
    ['{ }'],
    ['{ // nothing yet\n}'],
    ['{"servers":{}}'],
    ['{\n  "servers": {}\n}\n'],
    ['{\n  "servers": {\n    // none yet\n  },\n}\n'],
    ['{"a":[1,2], "servers":{"b":{"command":"x"}}}'],
    ['{\r\n\t"a": 1,\r\n\t"servers": {\r\n\t\t"b": { "url": "y" }\r\n\t}\r\n}'],
    ['\ufeff// Zed settings\n{\n  /* "x": 1, */\n  "theme": "One", // dark\n}\n// end'],
    [
      '{\n  "servers": {\n    "b": { "url": "http://x/*y" } // mine\n    // last\n  },\n  "c": [\n    1, // one\n  ] /* two */\n}\n',
    ],
    ['{\n  "servers": {\n    "b": {}, // mine\n  }\n}\n'],
    ['{ "a": "\\"}{\\u0041", "b": -1.5e3, "c": [[], {}] }'],
  ])('changes nothing else in JSON, and takes its entry out again: %j', (before) => {
    const entry = { type: 'http', url: 'http://127.0.0.1:8000/mcp' };
    const after = withEntry(before, vscode, 'threadkeep', entry);
    const said = plainJson(before)?.plain as { servers?: object };
    expect(plainJson(after)?.plain).toEqual({ ...said, servers: { ...said.servers, threadkeep: entry } });
    const pieces = before.split(/[\s,]+/).filter((piece) => piece !== '');
    for (const comment of pieces.filter((piece) => piece.startsWith('//'))) expect(after).toContain(comment);
    expect(withEntry(after, vscode, 'threadkeep', entry)).toBe(after);
    const left = withoutEntry(after, vscode, 'threadkeep');
    // Whether an empty object had a line break in it is known from the copy alone.
    expect(left).toBe(
      before === '{\n}\n' ? '{\n}\n' : before === '{}' || before === '{}\n' ? before.replace('{}', '{\n}') : before,
    );
  });

  it('keeps a comment from swallowing what follows', () => {
    const text = '{\n  "servers": { "b": {}, // mine\n "threadkeep": {} } }';
    const left = withoutEntry(text, vscode, 'threadkeep');
    expect(plainJson(left)?.plain).toEqual({ servers: { b: {} } });
    expect(left).toContain('// mine\n');
  });

  it.each([
    ['claude-code', '{"mcpServers":{}, "b": [1,\n2]}'],
    ['vscode', '{\n}\n'],
    ['cursor', ''],
    [
      'zed',
      '// Zed settings\n//\n// see https://zed.dev\n{\n  "theme": { "mode": "system" },\n  "buffer_font_size": 15, // px\n}\n',
    ],
    ['amp', '{}'],
    ['opencode', '{"$schema":"https://opencode.ai/config.json"}'],
    ['codex', 'model = "x"\n\n\n# mine\n[tools]\nweb = true'],
    [
      'goose',
      'GOOSE_MODEL: gpt  # mine\nlist:\n- a\n-   b\n\nextensions:\n    developer: {enabled: true,   name: "dev"}\n',
    ],
  ])('and disconnect of %s leave the file byte for byte', async (name, before) => {
    const folder = await aFolder();
    const { json } = await connect(folder, name);
    const file = String(json.file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, before);
    expect((await connect(folder, name, '--write')).json).toMatchObject({ changed: true });
    const environment = { HOME: folder, XDG_CONFIG_HOME: '' };
    await threadkeepJson(folder, ['disconnect', name], { environment });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it.each([
    ['claude-code', '{"theme":"dark","permissions":{"allow":["a","b"]},"hooks":{}}'],
    ['gemini-cli', '{\n  "list": [1, 2],\n  "hooks": { "AfterAgent": [{ "hooks": [{ "command": "say" }] }] }\n}'],
    ['cursor', '{\n    "version": 1,\n    "hooks": { "stop": [ { "command": "say" } ] }\n}\n\n'],
    [
      'claude-code',
      '// mine\n{\n  "hooks": {\n    "Stop": [\n      // says it\n      { "hooks": [{ "type": "command", "command": "say" },] }, // loud\n    ],\n  }, /* end */\n}\n',
    ],
    ['cursor', '{\r\n\t// nothing yet\r\n\t"version": 1, // of the format\r\n}\r\n'],
  ])('with hooks, and disconnect of %s, leave the file byte for byte', async (name, before) => {
    const folder = await aFolder();
    const file = String((await connect(folder, name, '--hooks')).json.file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, before);
    expect((await connect(folder, name, '--hooks', '--write')).json).toMatchObject({ changed: true });
    const environment = { HOME: folder, XDG_CONFIG_HOME: '' };
    await threadkeepJson(folder, ['disconnect', name, '--hooks'], { environment });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('keeps every client in the manual', () => {
    expect(names.filter((name) => !page.includes(clients[name]?.title ?? name))).toEqual([]);
  });
});

describe('adding a hook', () => {
  const add = hooks['claude-code']?.add;
  const ours = { type: 'command', command: 'node main.js import claude-code --hook --quiet', timeout: 60 };
  const mine = { type: 'command', command: 'say done' };

  it("removes its own hook and keeps a person's under the same matcher", () => {
    const older = { ...ours, command: 'node old.js import claude-code --hook --quiet' };
    const before = { hooks: { Stop: [{ matcher: 'x', hooks: [mine, older] }, { hooks: [older] }], Other: [1] } };
    const after = add?.(before, ours.command);
    expect(after).toEqual({
      hooks: {
        Stop: [{ matcher: 'x', hooks: [mine] }, { hooks: [ours] }],
        SessionEnd: [{ hooks: [ours] }],
        Other: [1],
      },
    });
    expect(add?.(after ?? {}, ours.command)).toEqual(after);
  });

  it('replaces an older command between comments', () => {
    const older = { type: 'command', command: 'x import codex --hook y', timeout: 60 };
    const before = `{ "hooks": { "Stop": [ /* a */ { "hooks": [ ${JSON.stringify(older)} ] } /* b */ ] } }`;
    const after = withChanged(before, (all) => hooks.codex?.add(all, 'z import codex --hook w') ?? all);
    expect(after).toBe(before.replace(older.command, 'z import codex --hook w'));
  });

  it.each([{ hooks: [mine] }, { hooks: { Stop: mine } }])('refuses a list of another shape: %j', (before) => {
    expect(refusal(() => add?.(before, ours.command)).message).toContain('not changed');
  });
});

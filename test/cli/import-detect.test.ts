import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clients } from '../../src/cli/connect/clients.js';
import { importCall, isHandOver } from '../../src/cli/start.js';
import { aFolder, modulesOf, threadkeep, threadkeepJson } from './threadkeep.js';

const claude = JSON.stringify([
  { uuid: 'c', name: 'Soup', chat_messages: [{ uuid: '1', sender: 'human', text: 'Which soup is quick?' }] },
]);

describe('import without a format', () => {
  it('detects the format of a file and reports it', async () => {
    const folder = await aFolder({ 'export.json': claude });
    const { json } = await threadkeepJson(folder, ['import', 'export.json']);
    expect(json).toMatchObject({ status: 'ok', imported: 1, messages: 1, formats: ['claude'] });
    const again = await threadkeep(folder, ['import', 'detect', 'export.json']);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('export.json is from Claude') });
  });

  it('names the right format when a wrong one was said', async () => {
    const folder = await aFolder({ 'conversations.json': claude });
    const { code, stdout } = await threadkeep(folder, ['import', 'chatgpt', 'conversations.json']);
    expect(code).toBe(1);
    expect(stdout).toContain('this is a Claude export; run `threadkeep import claude`');
  });

  it('names the command for a pasted transcript', async () => {
    const folder = await aFolder({ 'chat.txt': '\n**You:** Which soup is quick?\nClaude: Miso soup.\n' });
    const { code, stdout } = await threadkeep(folder, ['import', 'claude', 'chat.txt']);
    expect(code).toBe(1);
    expect(stdout).toContain('1 × this is a pasted transcript; run `threadkeep import manual`');
    expect(stdout.match(/ × /g)).toHaveLength(1);
    const undetected = await threadkeep(folder, ['import', 'chat.txt']);
    expect(undetected).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('chat.txt is a pasted transcript; run `threadkeep import manual`'),
    });
  });

  it('refuses what is no file, no format or no export', async () => {
    const folder = await aFolder({ 'notes.txt': 'Buy beans.' });
    const odd = await threadkeep(folder, ['import', 'chatgtp']);
    expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining("'chatgtp' is neither a file nor a format") });
    const none = await threadkeep(folder, ['import', 'notes.txt']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('contains no known export') });
    expect((await threadkeep(folder, ['import'])).code).toBe(2);
  });
});

describe('a hook', () => {
  it('hands over everything but the token, which other users would see', () => {
    const argv = ['import', 'codex', '--hook', '--quiet', '--data-dir', '/d', '--token', 'secret'];
    expect(isHandOver(argv)).toBe(true);
    expect(isHandOver(['import', 'codex', '--hook'])).toBe(false);
    expect(importCall(argv, '-s.jsonl')).toEqual({
      args: ['import', 'codex', '--quiet', '--data-dir', '/d', '--', '-s.jsonl'],
      environment: { THREADKEEP_TOKEN: 'secret' },
    });
  });

  it('loads nothing that an import needs, so that it does not delay a turn', async () => {
    const folder = await aFolder();
    const stdin = JSON.stringify({ hook_event_name: 'Stop', transcript_path: null });
    const argv = ['import', 'claude-code', '--hook', '--quiet'];
    const loaded = await modulesOf(folder, argv, { stdin });
    const packages = loaded.filter((each) => each.includes('/node_modules/'));
    expect(packages).toEqual([]);
    expect(loaded.filter((each) => each.includes('/dist/')).length).toBeLessThan(12);
  });
});

describe('disconnect', () => {
  const others: Record<string, string> = {
    json: '{\n  "theme": "dark",\n  "SECTION": {\n    "other": {\n      "url": "http://x"\n    }\n  },\n  "last": 1\n}\n',
    toml: 'model = "x"\n\n[SECTION.other]\nurl = "http://x"\n',
    yaml: '# mine\nmodel: x\nSECTION:\n  other:\n    type: stdio\n',
  };
  const written = Object.entries(clients).filter(([, { file }]) => file !== undefined);

  it.each(written.map(([name, client]) => [name, client] as const))(
    'takes out of %s what connect put in',
    async (name, client) => {
      const folder = await aFolder();
      const environment = { HOME: folder, XDG_CONFIG_HOME: '' };
      const run = (...args: string[]) => threadkeepJson(folder, args, { environment });
      const { json } = await run('connect', name, '--write');
      const file = String(json.file);
      expect((await run('disconnect', name)).json).toMatchObject({ changed: true });
      await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT');
      const before = (others[client.format] ?? '').replaceAll('SECTION', client.section);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, before);
      expect((await run('connect', name, '--write')).json).toMatchObject({ changed: true });
      expect(await readFile(file, 'utf8')).not.toBe(before);
      await run('disconnect', name);
      expect(await readFile(file, 'utf8')).toBe(before);
      expect((await run('disconnect', name)).json).toMatchObject({ changed: false });
    },
  );

  it('takes out hooks and leaves those of others', async () => {
    const folder = await aFolder();
    const environment = { HOME: folder, XDG_CONFIG_HOME: '' };
    const mine = { theme: 'dark', hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] } };
    const file = join(folder, '.claude/settings.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(mine));
    await threadkeepJson(folder, ['connect', 'claude-code', '--hooks', '--write'], { environment });
    await threadkeepJson(folder, ['disconnect', 'claude-code', '--hooks'], { environment });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(mine);
  });

  it('says when nothing listens at the address', async () => {
    const folder = await aFolder();
    const environment = { HOME: folder, XDG_CONFIG_HOME: '', THREADKEEP_API__PORT: '1' };
    const { stdout } = await threadkeep(folder, ['connect', 'cursor'], { environment });
    expect(stdout).toContain('threadkeep service install');
  });
});

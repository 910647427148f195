import { mkdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createToken } from '../../src/auth/tokens.js';
import { createUser } from '../../src/auth/users.js';
import { callOfItsOwn } from '../../src/cli/commands/import.js';
import { accountsIn } from '../support/accounts.js';
import { aFolder, start, threadkeep, threadkeepJson } from './threadkeep.js';

async function aHome() {
  const folder = await aFolder();
  const home = join(folder, 'home');
  const write = async (path: string, content: string): Promise<string> => {
    const file = join(home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  };
  return { folder, home, write, environment: { HOME: home, USERPROFILE: home } };
}

const said = (text: string) =>
  `${JSON.stringify({ type: 'user', uuid: text, sessionId: 's', timestamp: '2026-03-01T00:00:00Z', message: { role: 'user', content: text } })}\n`;

const continued = (answer: string) =>
  JSON.stringify({
    sessionId: 'c',
    workspaceDirectory: '/home/me',
    history: [{ message: { role: 'user', content: 'Soup?' } }, { message: { role: 'assistant', content: answer } }],
  });

describe('watch', () => {
  it('looks where a program was told to keep its sessions', async () => {
    const { folder, home, write, environment } = await aHome();
    await write('moved-claude/projects/p/s.jsonl', said('One.'));
    const moved = { ...environment, CLAUDE_CONFIG_DIR: join(home, 'moved-claude') };
    const { json } = await threadkeepJson(folder, ['watch', '--once'], { environment: moved });
    expect(json).toMatchObject({ imported: 1, messages: 1 });
  });

  it('follows sessions that grow, shrink, are renamed or rewritten, and stores each turn once', async () => {
    const { folder, write, environment } = await aHome();
    const log = await write('.claude/projects/p/s.jsonl', said('One.'));
    const { child, ended } = start(folder, ['watch', '--interval', '1', '--json'], { environment });
    let printed = '';
    child.stdout.on('data', (part: Buffer) => {
      printed += part.toString();
    });
    const kept = async (count: number) => {
      await expect.poll(() => printed.trim().split('\n').filter(Boolean).length, { timeout: 60_000 }).toBe(count);
      return JSON.parse(printed.trim().split('\n')[count - 1] ?? '{}') as object;
    };
    expect(await kept(1)).toMatchObject({ imported: 1, messages: 1 });
    await write('.claude/projects/p/s.jsonl', said('One.') + said('Two.'));
    expect(await kept(2)).toMatchObject({ imported: 0, appended: 1, messages: 1 });
    // Cut, moved and continued under another name: the same session.
    await truncate(log, said('One.').length);
    await rename(log, `${log}.old.jsonl`);
    await write('.claude/projects/q/s.jsonl', said('One.') + said('Two.') + said('Three.'));
    expect(await kept(3)).toMatchObject({ imported: 0, appended: 1, messages: 1 });
    // A program that came later, whose file shows half an answer first.
    await write('.continue/sessions/c.json', continued('Le'));
    await write('.continue/sessions/c.json', continued('Leek.'));
    expect(await kept(4)).toMatchObject({ imported: 1, messages: 2 });
    child.kill('SIGTERM');
    await ended;
    const again = await threadkeepJson(folder, ['watch', '--once'], { environment });
    expect(again.json).toMatchObject({ imported: 0, appended: 0, messages: 0 });
    const { json } = await threadkeepJson(folder, ['conversations', 'list']);
    expect(json).toMatchObject({ total: 2 });
  });
});

describe('a server that watches', () => {
  it('stores what assistants write while it runs, and nothing without --watch', async () => {
    const { folder, write, environment } = await aHome();
    await write('.claude/projects/p/s.jsonl', said('The walrus sings.'));
    const found = async (url: string, query: string): Promise<unknown[]> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/memory/search`, { method: 'POST', headers, body: JSON.stringify({ query }) });
      return ((await answer.json()) as { results: unknown[] }).results;
    };
    const serve = async (...args: string[]) => {
      const server = start(folder, ['serve', '--port', '0', '--json', ...args], { environment });
      const { url } = JSON.parse(await server.firstOutput()) as { url: string };
      return { ...server, url };
    };
    const deaf = await serve();
    expect(await found(deaf.url, 'walrus')).toEqual([]);
    deaf.child.kill('SIGTERM');
    await deaf.ended;
    const server = await serve('--watch');
    await expect.poll(() => found(server.url, 'walrus'), { timeout: 60_000 }).toHaveLength(1);
    await write('.claude/projects/q/t.jsonl', said('Leeks need sand.').replaceAll('"s"', '"t"'));
    await expect
      .poll(async () => JSON.stringify(await found(server.url, 'leeks')), { timeout: 60_000 })
      .toContain('Leeks need sand.');
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});

describe('a watch whose store fails', () => {
  it('reports a store that is away, and catches up when it is back', async () => {
    const { folder, write, environment } = await aHome();
    await write('.claude/projects/p/s.jsonl', said('One.'));
    const { child } = start(folder, ['watch', '--interval', '1', '--json'], { environment });
    let printed = '';
    child.stdout.on('data', (part: Buffer) => {
      printed += part.toString();
    });
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('"imported":1');
    // A store whose files are gone from their place refuses to write.
    await rename(join(folder, 'data'), join(folder, 'away'));
    await write('.claude/projects/p/s.jsonl', said('One.') + said('Two.'));
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('"error_code":"metadata_unavailable"');
    await rename(join(folder, 'away'), join(folder, 'data'));
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('"appended":1');
  });
});

describe('hooks', () => {
  it.each([
    ['claude-code', '.claude/settings.json', ['Stop', 'SessionEnd']],
    ['codex', '.codex/hooks.json', ['Stop']],
    ['gemini-cli', '.gemini/settings.json', ['AfterAgent', 'SessionEnd']],
  ])('of %s are added once to what is stored', async (client, file, events) => {
    const { folder, home, write, environment } = await aHome();
    const mine = { theme: 'dark', hooks: { [events[0] ?? '']: [{ hooks: [{ type: 'command', command: 'mine' }] }] } };
    await write(file, JSON.stringify(mine));
    for (const changed of [true, false]) {
      const answer = await threadkeepJson(folder, ['connect', client, '--hooks', '--write'], { environment });
      expect(answer.json).toMatchObject({ changed });
    }
    const settings = JSON.parse(await readFile(join(home, file), 'utf8')) as Record<string, unknown>;
    expect(settings).toMatchObject({ theme: 'dark' });
    const listed = settings.hooks as Record<string, { hooks: { type: string; command: string }[] }[]>;
    expect(Object.keys(listed).sort()).toEqual([...events].sort());
    expect(listed[events[0] ?? '']).toHaveLength(2);
    for (const event of events) {
      const ours = listed[event]?.at(-1)?.hooks[0];
      expect(ours).toMatchObject({ type: 'command', command: expect.stringContaining(`import ${client} --hook`) });
      expect(ours?.command).toContain(join(folder, 'data'));
    }
  });

  it.each([
    ['cursor', '.cursor/hooks.json', 'cursor-agent', { stop: [{ command: 'COMMAND' }] }],
    ['vscode', '.copilot/hooks/threadkeep.json', 'copilot-cli', { Stop: [{ type: 'command', command: 'COMMAND' }] }],
    [
      'copilot-cli',
      '.copilot/hooks/threadkeep.json',
      'copilot-cli',
      { Stop: [{ type: 'command', command: 'COMMAND' }] },
    ],
  ])('of %s are written as its documentation shows, and taken out again', async (client, file, format, documented) => {
    const { folder, home, write, environment } = await aHome();
    const run = (...args: string[]) => threadkeepJson(folder, args, { environment });
    const { json } = await run('connect', client, '--hooks', '--write');
    const read = async (): Promise<unknown> => JSON.parse(await readFile(join(home, file), 'utf8'));
    const hooks = JSON.parse(JSON.stringify(documented).replace('"COMMAND"', JSON.stringify(json.command))) as object;
    expect(await read()).toEqual({ version: 1, hooks });
    expect(json.command).toContain(`import ${format} --hook --quiet`);
    expect((await run('connect', client, '--hooks', '--write')).json).toMatchObject({ changed: false });
    await run('disconnect', client, '--hooks');
    await expect(readFile(join(home, file))).rejects.toThrow('ENOENT');
    const [event = ''] = Object.keys(documented);
    const mine = { version: 1, hooks: { [event]: [{ command: './mine.sh' }] } };
    await write(file, JSON.stringify(mine));
    await run('connect', client, '--hooks', '--write');
    expect(await read()).toMatchObject({ hooks: { [event]: [{ command: './mine.sh' }, {}] } });
    await run('disconnect', client, '--hooks');
    expect(await read()).toEqual(mine);
  });

  it.each([
    ['cursor-agent', { role: 'user', message: { content: [{ type: 'text', text: 'The walrus sings.' }] } }],
    ['copilot-cli', { type: 'user.message', id: '1', data: { content: 'The walrus sings.' } }],
  ])('take a session of %s', async (format, line) => {
    const { folder, write, environment } = await aHome();
    const log = await write('project/agent-transcripts/4b1f.jsonl', `${JSON.stringify(line)}\n`);
    // The fields that Cursor and VS Code name in their documentation.
    const stdin = JSON.stringify({
      conversation_id: 'c',
      hook_event_name: 'stop',
      status: 'completed',
      transcript_path: log,
    });
    const { json } = await threadkeepJson(folder, ['import', format, '--hook'], { environment, stdin });
    expect(json).toMatchObject({ imported: 1, messages: 1 });
  });

  it('leave settings alone that cannot be read as JSON', async () => {
    const { folder, home, write, environment } = await aHome();
    await write('.claude/settings.json', '{ // a comment\n');
    const answer = await threadkeep(folder, ['connect', 'claude-code', '--hooks', '--write'], { environment });
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(await readFile(join(home, '.claude/settings.json'), 'utf8')).toBe('{ // a comment\n');
  });

  it('are added to settings with comments, which stay', async () => {
    const { folder, home, write, environment } = await aHome();
    await write('.claude/settings.json', '{ // a comment\n}');
    const answer = await threadkeep(folder, ['connect', 'claude-code', '--hooks', '--write'], { environment });
    expect(answer.code).toBe(0);
    const settings = await readFile(join(home, '.claude/settings.json'), 'utf8');
    expect(settings).toContain('// a comment');
    expect(settings).toContain('--hook');
  });

  it('keep a session from any folder, print nothing, and finish after the program has ended', async () => {
    const { folder, home, write, environment } = await aHome();
    const elsewhere = await aFolder();
    const log = await write('.claude/projects/p/s.jsonl', said('One.'));
    const hook = (event: string) =>
      threadkeep(elsewhere, ['import', 'claude-code', '--hook', '--quiet', '--data-dir', join(folder, 'data')], {
        environment,
        stdin: JSON.stringify({ hook_event_name: event, transcript_path: log }),
      });
    expect(await hook('Stop')).toEqual({ code: 0, stdout: '', stderr: '' });
    await writeFile(join(home, '.claude/projects/p/s.jsonl'), said('One.') + said('Two.'));
    expect(await hook('SessionEnd')).toEqual({ code: 0, stdout: '', stderr: '' });
    await expect
      .poll(async () => (await threadkeep(folder, ['search', 'Two', '--json'])).stdout, {
        timeout: 60_000,
        interval: 500,
      })
      .toContain('Two.');
    const nothing = await threadkeep(elsewhere, ['import', 'codex', '--hook', '--quiet'], {
      environment,
      stdin: JSON.stringify({ hook_event_name: 'Stop', transcript_path: null }),
    });
    expect(nothing).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('act for the token they were given, also after the program has ended', async () => {
    const { folder, write, environment } = await aHome();
    const { administration } = await accountsIn(folder);
    await createUser(administration, { name: 'nora' });
    const { token } = await createToken(administration, { user: 'nora' });
    const log = await write('.claude/projects/p/s.jsonl', said('One.'));
    const stdin = JSON.stringify({ hook_event_name: 'SessionEnd', transcript_path: log });
    await threadkeep(folder, ['import', 'claude-code', '--hook', '--token', token], { environment, stdin });
    await expect
      .poll(async () => (await threadkeep(folder, ['search', 'One', '--json', '--token', token])).stdout, {
        timeout: 60_000,
        interval: 500,
      })
      .toContain('One.');
  });

  it('pass on everything that was asked for when a session ends', () => {
    const options = { dryRun: true, since: '2026-01-01', projectId: 'team', dataDir: '/data', hook: true };
    const shared = { config: 'c.yaml', token: 'a-token', json: true, quiet: false, verbose: false };
    expect(callOfItsOwn({ options, shared, secrets: new Set() }, 'codex', '/s.jsonl')).toEqual({
      args: [
        ...['import', 'codex', '/s.jsonl', '--quiet', '--config', 'c.yaml', '--data-dir', '/data'],
        ...['--since', '2026-01-01', '--project-id', 'team', '--dry-run'],
      ],
      environment: { THREADKEEP_TOKEN: 'a-token' },
    });
  });
});

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createToken } from '../../src/auth/tokens.js';
import { createUser } from '../../src/auth/users.js';
import { accountsIn } from '../support/accounts.js';
import { invented } from '../support/conversation.js';
import { aFolder, start, threadkeep, threadkeepJson } from './threadkeep.js';

const patience = { timeout: 60_000, interval: 20 };

function chats(count: number): string {
  return JSON.stringify(
    Array.from({ length: count }, (_, number) => ({
      id: `chat-${number}`,
      title: `Chat ${number}`,
      messages: [
        { role: 'user', text: invented(number, 10) },
        { role: 'assistant', text: invented(number + 5_000, 20) },
      ],
    })),
  );
}

async function aServer(folder: string) {
  const server = start(folder, ['serve', '--port', '0', '--json']);
  const { url } = JSON.parse(await server.firstOutput()) as { url: string };
  const jobs = async () =>
    ((await (await fetch(`${url}/memory/imports`)).json()) as { results: Record<string, unknown>[] }).results;
  return { ...server, url, jobs };
}

/** A folder with nothing but the address of the server: what is stored there was stored by the server. */
async function onlyAddress(folder: string): Promise<string> {
  return aFolder({ 'server.json': await readFile(join(folder, 'data', 'server.json')) });
}

const said = (text: string) =>
  `${JSON.stringify({ type: 'user', uuid: text, sessionId: 's', timestamp: '2026-03-01T00:00:00Z', message: { role: 'user', content: text } })}\n`;

describe('import beside a running server', () => {
  it('is a job of the server, with the report of one without a server', async () => {
    const folder = await aFolder({ 'chats.json': chats(20), 'notes.csv': 'who,body\nuser,Leeks need sand.\n' });
    const alone = await aFolder({ 'chats.json': chats(20) });
    const direct = await threadkeepJson(alone, ['import', 'json', 'chats.json']);
    const server = await aServer(folder);
    const elsewhere = ['--data', await onlyAddress(folder)];
    const sent = await threadkeepJson(folder, ['import', 'json', 'chats.json', ...elsewhere]);
    const { import_id, ...report } = sent.json;
    expect(report).toEqual(direct.json);
    expect(await server.jobs()).toMatchObject([
      { id: import_id, state: 'done', format: 'json', filename: 'chats.json' },
    ]);
    const again = await threadkeepJson(folder, ['import', 'chats.json', ...elsewhere]);
    expect(again.json).toMatchObject({ imported: 0, duplicates: 20, formats: ['json'] });
    const fields = ['--field', 'text=body', '--field', 'role=who', '--source', 'notes'];
    const table = await threadkeepJson(folder, ['import', 'json', 'notes.csv', ...fields, ...elsewhere]);
    expect(table.json).toMatchObject({ imported: 1, messages: 1 });
    const { json } = await threadkeepJson(folder, ['search', 'leeks', '--top-k', '1', ...elsewhere]);
    expect(json.results).toMatchObject([{ conversation: { source: 'notes' } }]);
  });

  it('reports errors as it does without a server', async () => {
    const claude = JSON.stringify([
      { uuid: 'c', name: 'S', chat_messages: [{ uuid: '1', sender: 'human', text: 'Hi' }] },
    ]);
    const folder = await aFolder({ 'claude.json': claude });
    const calls = [
      ['import', 'chatgpt', 'claude.json'],
      ['import', 'json', 'absent.json'],
      ['import', 'json', 'claude.json', '--since', 'soon'],
      ['import', 'json', 'claude.json', '--project-id', '3b241101-e2bb-4255-8caf-4136c566a962'],
    ];
    const run = async () => {
      const answers = [];
      for (const call of calls) answers.push(await threadkeep(folder, call));
      return answers;
    };
    const direct = await run();
    await aServer(folder);
    expect(await run()).toEqual(direct);
    expect(direct.map(({ code }) => code)).toEqual([1, 1, 2, 1]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is cancelled by %s, and what was stored stays', async (signal, code) => {
    const folder = await aFolder({ 'chats.json': chats(3_000) });
    const server = await aServer(folder);
    const { child, ended } = start(folder, ['import', 'json', 'chats.json', '--json']);
    await expect.poll(server.jobs, patience).toMatchObject([{ report: { imported: expect.toSatisfy(isPositive) } }]);
    child.kill(signal);
    const { code: exit, stdout } = await ended;
    const { imported, interrupted } = JSON.parse(stdout) as { imported: number; interrupted: boolean };
    expect({ exit, interrupted }).toEqual({ exit: code, interrupted: true });
    expect(await server.jobs()).toMatchObject([{ state: 'cancelled', report: { imported } }]);
    expect((await threadkeepJson(folder, ['conversations', 'list'])).json).toMatchObject({ total: imported });
  });

  it('continues without the command and after a restart of the server; the same command follows it', async () => {
    const folder = await aFolder({ 'chats.json': chats(1_500) });
    const server = await aServer(folder);
    const first = start(folder, ['import', 'json', 'chats.json', '--json']);
    await expect.poll(server.jobs, patience).toMatchObject([{ report: { imported: expect.toSatisfy(isPositive) } }]);
    const second = start(folder, ['import', 'json', 'chats.json', '--json']);
    first.child.kill('SIGKILL');
    await first.ended;
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    const cut = await second.ended;
    const next = await aServer(folder);
    const { code, json } = await threadkeepJson(folder, ['import', 'json', 'chats.json']);
    const [job, ...others] = (await next.jobs()).filter(({ resumed }) => resumed !== 0);
    expect(others).toEqual([]);
    expect(job).toMatchObject({ resumed: 1 });
    expect([0, 3]).toContain(cut.code);
    expect(code).toBe(0);
    await expect.poll(next.jobs, patience).toMatchObject([{ state: 'done' }]);
    expect((await threadkeepJson(folder, ['conversations', 'list'])).json).toMatchObject({ total: 1_500 });
    expect(json).toMatchObject({ read: 1_500 });
  });

  it('counts from the beginning when a folder changed while the server was away', async () => {
    const folder = await aFolder();
    await mkdir(join(folder, 'exports'));
    await writeFile(join(folder, 'exports', 'b.json'), chats(1_500));
    const server = await aServer(folder);
    start(folder, ['import', 'json', 'exports', '--json']);
    await expect
      .poll(server.jobs, patience)
      .toMatchObject([{ report: { imported: expect.toSatisfy((count: number) => count > 100) } }]);
    server.child.kill('SIGTERM');
    await server.ended;
    const added = [{ id: 'new', messages: [{ role: 'user', text: 'The walrus sings at dawn.' }] }];
    await writeFile(join(folder, 'exports', 'a.json'), JSON.stringify(added));
    const next = await aServer(folder);
    await expect.poll(next.jobs, patience).toMatchObject([{ state: 'done', report: { read: 1_501 } }]);
    expect((await threadkeepJson(folder, ['conversations', 'list'])).json).toMatchObject({ total: 1_501 });
  });

  it('acts for the holder of a token', async () => {
    const folder = await aFolder({ 'chats.json': chats(3) });
    const { administration } = await accountsIn(folder);
    await createUser(administration, { name: 'nora' });
    const { token } = await createToken(administration, { user: 'nora' });
    await aServer(folder);
    const environment = { THREADKEEP_TOKEN: token };
    const sent = await threadkeepJson(folder, ['import', 'json', 'chats.json'], { environment });
    expect(sent.json).toMatchObject({ imported: 3, import_id: expect.any(String) });
    expect((await threadkeepJson(folder, ['conversations', 'list'])).json).toMatchObject({ total: 0 });
  });

  it('takes the session of a hook without a job', async () => {
    const folder = await aFolder({ 's.jsonl': said('The walrus sings at dawn.') });
    const server = await aServer(folder);
    const data = await onlyAddress(folder);
    const stdin = JSON.stringify({ hook_event_name: 'Stop', transcript_path: join(folder, 's.jsonl') });
    const hook = ['import', 'claude-code', '--hook', '--quiet', '--data-dir', data];
    expect(await threadkeep(folder, hook, { stdin })).toEqual({ code: 0, stdout: '', stderr: '' });
    await expect
      .poll(async () => (await threadkeepJson(folder, ['search', 'walrus'])).json.results, { timeout: 60_000 })
      .toHaveLength(1);
    expect(await server.jobs()).toEqual([]);
    expect(await readdir(data)).toEqual(['server.json']);
  });
});

function isPositive(count: number): boolean {
  return count > 0;
}

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFolder, start, threadkeep, threadkeepJson } from './threadkeep.js';

const chats = [
  { id: 'a', created_at: '2026-01-05', messages: [{ role: 'user', text: 'The old lighthouse keeper.' }] },
  { id: 'b', created_at: '2026-03-05', messages: [{ role: 'human', text: 'The new harbour.' }] },
  { id: 'c', messages: [] },
];

describe('import', () => {
  it('reads a file, tells what it did, and adds nothing the second time', async () => {
    const folder = await aFolder({ 'chats.json': JSON.stringify(chats) });
    const tried = await threadkeepJson(folder, ['import', 'json', 'chats.json', '--dry-run']);
    expect(tried.json).toMatchObject({ dry_run: true, read: 2, imported: 2, skipped: 1 });
    const first = await threadkeep(folder, [
      'import',
      'json',
      'chats.json',
      '--source',
      'notes',
      '--since',
      '2026-02-01',
    ]);
    expect(first).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'Imported',
        'stored    1 conversation, 1 message',
        'left out  2',
        '  1 × it is older than requested',
        '  1 × no message with a role and a text was found; name the fields with --field',
        '  1 message not kept: their conversation is left out',
        '  for example: chats.json entry 1',
        '',
      ].join('\n'),
    });
    const second = await threadkeepJson(folder, ['import', 'json', 'chats.json', '--source', 'notes']);
    expect(second.json).toMatchObject({ imported: 1, duplicates: 1 });
  });

  it('finds what programs keep on this machine, and reads it only when told to', async () => {
    const folder = await aFolder();
    const home = join(folder, 'home');
    await mkdir(join(home, '.claude/projects/p'), { recursive: true });
    const record = {
      type: 'user',
      uuid: 'u',
      sessionId: 's',
      timestamp: '2026-03-01T00:00:00Z',
      message: { role: 'user', content: 'Rename the module.' },
    };
    await writeFile(join(home, '.claude/projects/p/s.jsonl'), `${JSON.stringify(record)}\n`);
    const environment = { HOME: home, USERPROFILE: home };
    const asked = await threadkeep(folder, ['import', 'auto'], { environment });
    expect(asked).toMatchObject({ code: 1, stdout: '' });
    expect(asked.stderr).toContain('Claude Code');
    const read = await threadkeepJson(folder, ['import', 'auto', '--yes'], { environment });
    expect(read.json).toMatchObject({ imported: 1, messages: 1 });
  });

  it('follows a session that grows, and takes one that a hook points to', async () => {
    const folder = await aFolder();
    const home = join(folder, 'home');
    const log = join(home, '.claude/projects/p/s.jsonl');
    await mkdir(join(home, '.claude/projects/p'), { recursive: true });
    const record = (uuid: string, text: string) =>
      `${JSON.stringify({ type: 'user', uuid, sessionId: 's', timestamp: '2026-03-01T00:00:00Z', message: { role: 'user', content: text } })}\n`;
    await writeFile(log, `${record('1', 'Rename the module.')}{"type":"user","mess`);
    const environment = { HOME: home, USERPROFILE: home };
    const first = await threadkeepJson(folder, ['watch', '--once'], { environment });
    expect(first.json).toMatchObject({ imported: 1, messages: 1 });
    await writeFile(log, record('1', 'Rename the module.') + record('2', 'And its tests.'));
    const stdin = JSON.stringify({ hook_event_name: 'Stop', transcript_path: log });
    const hooked = await threadkeepJson(folder, ['import', 'claude-code', '--hook'], { environment, stdin });
    expect(hooked.json).toMatchObject({ imported: 0, appended: 1, messages: 1 });
    const shown = await threadkeepJson(folder, ['connect', 'claude-code', '--hooks', '--write'], { environment });
    expect(shown.json).toMatchObject({ changed: true });
    const again = await threadkeepJson(folder, ['connect', 'claude-code', '--hooks', '--write'], { environment });
    expect(again.json).toMatchObject({ changed: false });
    const none = await threadkeep(folder, ['connect', 'zed', '--hooks'], { environment });
    expect(none.stderr).toContain('threadkeep watch');
  });

  it.each([
    ['an empty file', ['import', 'json', 'empty.json']],
    ['a file of another kind', ['import', 'chatgpt', 'bytes']],
    ['a folder without a file of that program', ['import', 'claude-code', 'folder']],
    ['conversations without messages, in a dry run', ['import', 'json', 'silent.json', '--dry-run']],
  ])('fails when it came to nothing: %s', async (_, args) => {
    const silent = JSON.stringify([{ id: 'c', messages: [] }]);
    const folder = await aFolder({
      'empty.json': '',
      bytes: Buffer.from([0x50, 0x4b, 3, 4, 255]),
      'silent.json': silent,
    });
    await mkdir(join(folder, 'folder'));
    const { code, stdout, stderr } = await threadkeep(folder, args);
    expect({ code, stderr, headline: stdout.split('\n')[0] }).toEqual({
      code: 1,
      stderr: '',
      headline: 'Nothing was imported',
    });
    expect((await threadkeepJson(folder, args)).json).toMatchObject({ status: 'error', imported: 0 });
  });

  it('does not fail when all is known, or older than asked for', async () => {
    const folder = await aFolder({ 'chats.json': JSON.stringify(chats.slice(0, 2)) });
    await threadkeep(folder, ['import', 'json', 'chats.json']);
    for (const more of [[], ['--since', '2026-04-01']]) {
      expect(await threadkeepJson(folder, ['import', 'json', 'chats.json', ...more])).toMatchObject({
        code: 0,
        json: { status: 'ok', imported: 0 },
      });
    }
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that is stopped by %s says so with exit code %i', async (signal, code) => {
    const folder = await aFolder();
    const { child, ended } = start(folder, ['import', 'threadkeep', '-', '--json'], { keepOpen: true });
    let written = 0;
    const writing = setInterval(() => {
      written += 1;
      const conversation = { messages: [{ role: 'user', text: `Note ${written}.` }] };
      child.stdin.write(`${JSON.stringify({ type: 'conversation', conversation })}\n`);
    }, 20);
    onTestFinished(() => clearInterval(writing));
    // The stores are opened once signals are listened to.
    await expect.poll(() => existsSync(join(folder, 'data')), { timeout: 60_000 }).toBe(true);
    child.kill(signal);
    const { stdout, ...rest } = await ended;
    expect({ code: rest.code, report: JSON.parse(stdout) }).toMatchObject({ code, report: { interrupted: true } });
  });

  it.each([
    [['import', 'chatgpt', 'nowhere.zip'], 'nowhere.zip does not exist'],
    [['import', 'chatgpt', 'broken.zip'], 'broken.zip is not a zip file'],
    [['import', 'json', 'chats.json', '--project-id', 'nosuch'], 'project access denied'],
    [['import', 'json', 'chats.json', '--since', 'soon'], '--since must be a date'],
    [['import', 'json', 'chats.json', '--field', 'text'], '--field must look like text=body'],
    [['import', 'json', 'chats.json', '--field', 'text='], '--field must look like text=body'],
    [['import', 'json', 'chats.json', '--field', 'txt=body'], '--field must name one of: messages, role, text'],
  ])('refuses %j', async (args, message) => {
    const folder = await aFolder({ 'broken.zip': 'no zip', 'chats.json': '[]' });
    const answer = await threadkeep(folder, args);
    // A value that an option does not take is an error of usage.
    expect(answer).toMatchObject({ code: message.startsWith('--') ? 2 : 1, stdout: '' });
    expect(answer.stderr).toContain(message);
  });
});

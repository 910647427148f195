import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { lstat, open, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { aFolder, program, threadkeep, threadkeepJson } from './threadkeep.js';

const chats = JSON.stringify([
  { title: 'Bread / and: butter?', created_at: '2026-01-05', messages: [{ role: 'user', text: 'How long?' }] },
  { title: 'Хлеб', created_at: '2026-03-05', messages: [{ role: 'user', text: 'Как долго?' }] },
]);

describe('export', () => {
  it('writes a file for its owner alone, or one for each conversation into a folder', async () => {
    const folder = await aFolder({ 'chats.json': chats });
    await threadkeep(folder, ['import', 'json', 'chats.json']);
    const whole = await threadkeepJson(folder, ['export', '--output', 'memory.jsonl']);
    expect(whole.json).toMatchObject({ status: 'ok', file: 'memory.jsonl', conversations: 2 });
    expect((await stat(join(folder, 'memory.jsonl'))).mode & 0o777).toBe(0o600);
    const notes = await threadkeepJson(folder, ['export', '--format', 'markdown', '--output', 'notes/']);
    expect(notes.json).toMatchObject({ files: 2 });
    const names = (await readdir(join(folder, 'notes'))).sort();
    expect(names).toEqual([
      expect.stringMatching(/^2026-01-05 Bread-and-butter [0-9a-f]{8}\.md$/),
      expect.stringMatching(/^2026-03-05 Хлеб [0-9a-f]{8}\.md$/),
    ]);
    expect(await readFile(join(folder, 'notes', names[1] ?? ''), 'utf8')).toContain('# Хлеб');
    const page = await threadkeepJson(folder, ['export', '--format', 'html', '--output', 'memory.html']);
    expect(page.json).toMatchObject({ status: 'ok', file: 'memory.html', conversations: 2 });
    expect(await readFile(join(folder, 'memory.html'), 'utf8')).toContain('<h2>Хлеб</h2>');
    const refused = await threadkeep(folder, ['export', '--output', 'notes']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--output is a folder');
  });

  it.skipIf(process.platform === 'win32')('writes into a pipe and through a link, and replaces neither', async () => {
    const folder = await aFolder({ 'chats.json': chats, 'target.jsonl': 'old' });
    await threadkeep(folder, ['import', 'json', 'chats.json']);
    const markdown = ['export', '--format', 'markdown', '--output'];
    const { stdout: printed } = await threadkeep(folder, [...markdown, '-']);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = text(createReadStream(pipe));
    const piped = await threadkeepJson(folder, [...markdown, 'pipe']);
    expect(piped).toMatchObject({ code: 0, json: { bytes: Buffer.byteLength(printed) } });
    expect(await reading).toBe(printed);
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    await symlink('target.jsonl', join(folder, 'link.jsonl'));
    await symlink('new.jsonl', join(folder, 'dangling.jsonl'));
    for (const [link, target] of [
      ['link.jsonl', 'target.jsonl'],
      ['dangling.jsonl', 'new.jsonl'],
    ] as const) {
      expect((await threadkeep(folder, [...markdown, link])).code).toBe(0);
      expect((await lstat(join(folder, link))).isSymbolicLink()).toBe(true);
      expect(await readFile(join(folder, target), 'utf8')).toBe(printed);
    }
  });

  it.runIf(existsSync('/dev/full'))('says in one line that standard output takes nothing', async () => {
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [program, 'export', '--help'], { stdio: ['ignore', full.fd, 'pipe'] });
    const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close'), full.close()]);
    expect({ code, said }).toEqual({ code: 1, said: 'error: Standard output cannot be written (ENOSPC)\n' });
  });
});

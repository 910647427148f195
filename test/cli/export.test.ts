import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aFolder, threadkeep, threadkeepJson } from './threadkeep.js';

const chats = JSON.stringify([
  { title: 'Bread / and: butter?', created_at: '2026-01-05', messages: [{ role: 'user', text: 'How long?' }] },
  { title: 'Хлеб', created_at: '2026-03-05', messages: [{ role: 'user', text: 'Как долго?' }] },
]);

describe('export', () => {
  it('writes a file for its owner alone, or one for each conversation into a folder', async () => {
    const folder = await aFolder({ 'chats.json': chats });
    await threadkeep(folder, ['import', 'json', 'chats.json']);
    const whole = await threadkeepJson(folder, ['export', '--output', 'memory.jsonl']);
    expect(whole.json).toMatchObject({ status: 'ok', file: 'memory.jsonl' });
    expect((await stat(join(folder, 'memory.jsonl'))).mode & 0o777).toBe(0o600);
    const notes = await threadkeepJson(folder, ['export', '--format', 'markdown', '--output', 'notes/']);
    expect(notes.json).toMatchObject({ files: 2 });
    const names = (await readdir(join(folder, 'notes'))).sort();
    expect(names).toEqual([
      expect.stringMatching(/^2026-01-05 Bread-and-butter [0-9a-f]{8}\.md$/),
      expect.stringMatching(/^2026-03-05 Хлеб [0-9a-f]{8}\.md$/),
    ]);
    expect(await readFile(join(folder, 'notes', names[1] ?? ''), 'utf8')).toContain('# Хлеб');
    const refused = await threadkeep(folder, ['export', '--output', 'notes']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('--output is a folder');
  });
});

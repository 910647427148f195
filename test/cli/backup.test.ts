import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { aFolder, threadkeep, threadkeepJson } from './threadkeep.js';

const note = JSON.stringify({ source: 'chatgpt', messages: [{ role: 'user', text: 'The heron stood in the reeds.' }] });

describe('backup and restore', () => {
  it('carry a memory from one folder to another', async () => {
    const first = await aFolder({ 'note.json': note });
    await threadkeep(first, ['ingest', 'note.json']);
    const made = await threadkeep(first, ['backup', 'memory.tkbackup']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Backed up\n/);
    expect((await threadkeep(first, ['backup', 'memory.tkbackup', '--verify'])).stdout).toMatch(
      /^The backup is intact\n(?:.*\n)*holds {2}1 conversation, 1 message\n$/,
    );
    const second = await aFolder();
    const restored = await threadkeepJson(second, ['restore', `${first}/memory.tkbackup`]);
    expect(restored.json).toMatchObject({ status: 'ok', sealed: false, rows: { conversations: 1, messages: 1 } });
    const found = await threadkeepJson(second, ['search', 'heron in the reeds']);
    expect(found.json).toMatchObject({ results: [{ text: 'The heron stood in the reeds.' }] });
  });

  it('take a passphrase from a file', async () => {
    const folder = await aFolder({ secret: 'correct horse\n', empty: '\n' });
    const made = await threadkeep(folder, ['backup', 'memory.tkbackup', '--passphrase-file', 'secret']);
    expect(made.stdout).toMatch(/^sealed {2}with a passphrase$/m);
    const refused = await threadkeep(folder, ['backup', 'other.tkbackup', '--passphrase-file', 'empty']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
  });

  it.each(['backup', 'restore'])('take no token, because they concern all users: %s', async (name) => {
    const folder = await aFolder();
    const { code, json } = await threadkeepJson(folder, [name, 'memory.tkbackup', '--token', 'nonsense']);
    expect({ code, message: json.error_message }).toEqual({ code: 2, message: `${name} takes no --token` });
    expect(await readdir(folder)).toEqual([]);
  });

  it('say what is wrong with a file that is none', async () => {
    const folder = await aFolder({ 'note.json': note });
    const answer = await threadkeep(folder, ['backup', 'note.json', '--verify']);
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(answer.stderr).toContain('The backup is damaged');
    const missing = await threadkeep(folder, ['restore', 'nowhere.tkbackup']);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.stderr).toContain('nowhere.tkbackup does not exist');
  });
});

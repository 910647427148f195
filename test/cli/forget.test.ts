import { describe, expect, it } from 'vitest';
import { aFolder, threadkeep, threadkeepJson } from './threadkeep.js';

const note = JSON.stringify({ source: 'chatgpt', messages: [{ role: 'user', text: 'The heron stood in the reeds.' }] });

describe('forget', () => {
  it('shows what would go, wants a yes, forgets and looks for what is left', async () => {
    const folder = await aFolder({ 'note.json': note });
    const { json: stored } = await threadkeepJson(folder, ['ingest', 'note.json']);
    const id = String((stored as { id: string }).id);
    const refused = await threadkeep(folder, ['forget', '--id', id]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('1 conversation would go; say --yes');
    const done = await threadkeep(folder, ['forget', '--source', 'chatgpt', '--verify', '--yes']);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(
      /^Forgotten\nconversations {2}1\n(?:.*\n)*Looked through \d+ files: nothing of it is left\.\n$/,
    );
    expect((await threadkeep(folder, ['retrieve', id])).code).toBe(1);
    expect((await threadkeep(folder, ['ingest', 'note.json'])).stderr).toContain('was forgotten');
  });
});

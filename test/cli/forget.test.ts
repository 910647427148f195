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
    expect(refused.stderr).toContain('1 conversation would be forgotten; add --yes');
    const done = await threadkeep(folder, ['forget', '--source', 'chatgpt', '--verify', '--yes']);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(
      /^Forgotten\nconversations {2}1\n(?:.*\n)*Searched \d+ files: none of the text is left\.\n$/,
    );
    expect((await threadkeep(folder, ['retrieve', id])).code).toBe(1);
    expect((await threadkeep(folder, ['ingest', 'note.json'])).stderr).toContain('was forgotten');
  });

  it('forgets everything with --all, after a yes', async () => {
    const folder = await aFolder({ 'note.json': note });
    await threadkeep(folder, ['ingest', 'note.json']);
    const refused = await threadkeep(folder, ['forget', '--all']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('add --yes') });
    expect(await threadkeepJson(folder, ['forget', '--all', '--yes'])).toMatchObject({
      code: 0,
      json: { conversations: 1, messages: 1 },
    });
    expect((await threadkeepJson(folder, ['conversations', 'list'])).json).toMatchObject({ total: 0 });
  });

  it.each([[[]], [['--verify']], [['--project-id', 'local-default', '--yes']]])(
    'says in its own words what is missing: %j',
    async (given) => {
      const { code, stderr } = await threadkeep(await aFolder({}), ['forget', ...given]);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--id, --source, --before') });
      expect(stderr.includes('as it is not kept')).toBe(given.includes('--verify'));
    },
  );

  it('forgets what a token wrote, and looks for all of it, but not for what others say in the same words', async () => {
    const chat = (number: number) => ({
      messages: [
        { role: 'user', text: `The heron number ${number} stood in the reeds.` },
        { role: 'assistant', text: 'Shall I tell you more about herons?' },
      ],
    });
    const chats = JSON.stringify(Array.from({ length: 11 }, (_, index) => chat(index)));
    const folder = await aFolder({ 'chats.json': chats, 'other.json': JSON.stringify([chat(99)]) });
    await threadkeep(folder, ['admin', 'user', 'create', 'ann']);
    const { json } = await threadkeepJson(folder, ['admin', 'token', 'create', '--user', 'ann']);
    const { token, token_record } = json as { token: string; token_record: { token_id: string } };
    const environment = { THREADKEEP_TOKEN: token };
    await threadkeep(folder, ['import', 'json', 'chats.json'], { environment });
    await threadkeep(folder, ['import', 'json', 'other.json']);
    const done = await threadkeepJson(folder, ['forget', '--token', token_record.token_id, '--yes', '--verify'], {
      environment,
    });
    expect(done).toMatchObject({ code: 0, json: { conversations: 11, messages: 22, verified: { found: [] } } });
    const { json: left } = await threadkeepJson(folder, ['conversations', 'list']);
    expect(left).toMatchObject({ total: 1 });
  });
});

import { describe, expect, it } from 'vitest';
import { aFolder, threadkeep, threadkeepJson } from './threadkeep.js';

const lisbon = {
  source: 'chatgpt',
  timestamp: '2026-03-01T10:00:00Z',
  messages: [{ role: 'user', text: 'When does the train to Lisbon leave?' }],
};

describe('conversations', () => {
  it('are listed, renamed, tagged and shown', async () => {
    const folder = await aFolder({ 'lisbon.json': JSON.stringify(lisbon) });
    await threadkeep(folder, ['ingest', 'lisbon.json']);
    const listed = await threadkeepJson(folder, ['conversations', 'list']);
    const { results } = listed.json as { results: { id: string }[] };
    const id = results[0]?.id ?? '';
    const renamed = await threadkeep(folder, ['conversations', 'rename', id, 'Trip', 'to', 'Lisbon']);
    expect(renamed).toEqual({ code: 0, stdout: 'Trip to Lisbon\n', stderr: '' });
    const tagged = await threadkeep(folder, ['conversations', 'tag', id, 'travel', 'family']);
    expect(tagged.stdout).toBe('Trip to Lisbon #travel #family\n');
    const untagged = await threadkeep(folder, ['conversations', 'untag', id, 'family']);
    expect(untagged.stdout).toBe('Trip to Lisbon #travel\n');
    const shown = await threadkeep(folder, ['conversations', 'list', '--tags', 'travel']);
    expect(shown.stdout).toBe(
      `Trip to Lisbon\n   2026-03-01 · chatgpt · 1 message · #travel\n   ${id}\n\n1 of 1 conversation\n`,
    );
    const whole = await threadkeep(folder, ['conversations', 'show', id]);
    expect(whole.stdout).toContain('When does the train to Lisbon leave?');
  });

  it('say so when there are none', async () => {
    const folder = await aFolder();
    expect(await threadkeep(folder, ['conversations', 'list'])).toEqual({
      code: 0,
      stdout: 'no conversations\n',
      stderr: '',
    });
  });
});

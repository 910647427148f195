import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aFolder, threadkeep, threadkeepJson } from './threadkeep.js';

const note = JSON.stringify({ source: 'chatgpt', messages: [{ role: 'user', text: 'I live in Lisbon.' }] });
const dry = { environment: { THREADKEEP_STORAGE__DRY_RUN: 'true' } };

describe('with storage.dry_run', () => {
  it('forgetting and renaming say that nothing was changed, and nothing is', async () => {
    const folder = await aFolder({ 'note.json': note });
    const { json: stored } = await threadkeepJson(folder, ['ingest', 'note.json']);
    const id = String(stored.id);
    const planned = await threadkeepJson(folder, ['forget', '--id', id, '--yes', '--verify'], dry);
    expect(planned).toMatchObject({ code: 0, json: { dry_run: true, conversations: 1 } });
    const said = await threadkeep(folder, ['forget', '--id', id, '--yes'], dry);
    expect(said.stdout).toMatch(/^This would be forgotten\n(?:.*\n)*Dry run: nothing was written\.\n$/);
    const renamed = await threadkeep(folder, ['conversations', 'rename', id, 'Home'], dry);
    expect(renamed.stdout).toBe('Home\nDry run: nothing was written.\n');
    const tagged = await threadkeepJson(folder, ['conversations', 'tag', id, 'home'], dry);
    expect(tagged.json).toMatchObject({ status: 'ok', dry_run: true });
    const { json: shown } = await threadkeepJson(folder, ['retrieve', id]);
    expect(shown).not.toHaveProperty('memory.title', 'Home');
  });

  it('decisions about facts say that nothing was changed', async () => {
    const folder = await aFolder({ 'note.json': note });
    await threadkeep(folder, ['ingest', 'note.json']);
    const elsewhere = { source: 'chatgpt', messages: [{ role: 'user', text: 'I like tea.' }] };
    await threadkeep(folder, ['ingest', '-'], { stdin: JSON.stringify(elsewhere) });
    const { json } = await threadkeepJson(folder, ['fact-search']);
    const [first, second] = (json as { results: { id: string }[] }).results.map((fact) => fact.id);
    const done = await threadkeep(folder, ['fact-supersede', String(first), String(second)], dry);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nDry run: nothing was written\.\n$/) });
  });

  it('watch says what it would keep', async () => {
    const folder = await aFolder();
    const session = join(folder, 'home/.claude/projects/p');
    await mkdir(session, { recursive: true });
    const line = { type: 'user', uuid: 'a', sessionId: 's', message: { role: 'user', content: 'One.' } };
    await writeFile(join(session, 's.jsonl'), `${JSON.stringify({ ...line, timestamp: '2026-03-01T00:00:00Z' })}\n`);
    const environment = { ...dry.environment, HOME: join(folder, 'home'), USERPROFILE: join(folder, 'home') };
    const told = await threadkeep(folder, ['watch', '--once'], { environment });
    expect(told).toMatchObject({ code: 0, stdout: 'Dry run: would keep 1 message of 1 conversation\n' });
    const { json } = await threadkeepJson(folder, ['watch', '--once'], { environment });
    expect(json).toMatchObject({ imported: 1, dry_run: true });
  });
});

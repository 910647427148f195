import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { scanFiles } from '../../src/app/verify-forgotten.js';
import { aNote } from '../support/conversation.js';
import { aFolder, type Body, startService } from '../support/service.js';

const id = '0b6d1b3e-3c5e-4a8e-9c41-000000000001';

/** A data folder as the first version left it, with one conversation. */
async function anOldFolder({ version = 1 } = {}): Promise<{ folder: string; file: string }> {
  const folder = await aFolder();
  const file = join(folder, 'data', 'metadata.sqlite3');
  await mkdir(join(folder, 'data'));
  const database = new DatabaseSync(file);
  database.exec(await readFile(new URL('earliest-schema.sql', import.meta.url), 'utf8'));
  database.exec(`
    INSERT INTO conversations (id, project_id, owner_id, source, title, timestamp, at, conversation_hash, memory_status,
      metadata, message_count, chunk_count, created_at, updated_at)
    VALUES ('${id}', 'local-default', 'local', 'chatgpt', 'Reeds', '2025-01-01', '2025-01-01T00:00:00.000Z', 'sha256:a',
      'active', '{"imported_at":"2025-01-01T00:00:00Z"}', 1, 1, '2025-01-01', '2025-01-01');
    INSERT INTO messages (id, conversation_id, message_index, role, text, hash)
    VALUES ('${id}:000000', '${id}', 0, 'user', 'The heron stood in the reeds.', 'sha256:b');
    INSERT INTO chunks (id, conversation_id, scope, chunk_index, message_index, role, start, "end", index_state)
    VALUES ('c0', '${id}', 'project:local-default', 0, 0, 'user', 0, 29, 'pending');
    INSERT INTO chunks_terms (rowid, terms) VALUES (1, 'heron reeds stood');
    PRAGMA user_version = ${version};`);
  database.close();
  return { folder, file };
}

async function copiesIn(folder: string): Promise<string[]> {
  const found = await readdir(join(folder, 'data', 'backups')).catch(() => []);
  return found.map((name) => join(folder, 'data', 'backups', name));
}

describe('a data folder of an older version', () => {
  it('is copied whole before it is upgraded, once, for its owner alone, and the copy is named', async () => {
    const { folder } = await anOldFolder();
    const service = await startService({}, { folder });
    const logged = service.logLines
      .map((line) => JSON.parse(line) as Body)
      .filter(({ event }) => event === 'metadata_upgraded');
    const [copy = ''] = await copiesIn(folder);
    expect(logged).toMatchObject([{ level: 'warn', file: copy }]);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    const kept = new DatabaseSync(copy, { readOnly: true });
    expect(kept.prepare('SELECT text FROM messages').get()).toEqual({ text: 'The heron stood in the reeds.' });
    expect(kept.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'facts'").get()).toEqual({ n: 0 });
    kept.close();
    expect((await service.request('/memory/retrieve', { id })).body).toMatchObject({ memory: { title: 'Reeds' } });
    await service.close();
    const again = await startService({}, { folder });
    await again.close();
    expect(await copiesIn(folder)).toEqual([copy]);
  });

  it('takes the times of messages, and finds by date what has none', async () => {
    const { folder } = await anOldFolder();
    const service = await startService({}, { folder });
    const messages = [{ role: 'user', text: 'The heron flew off.', timestamp: '2026-05-03T10:00:00Z' }];
    const { body: stored } = await service.request('/memory/insert', { timestamp: '2025-01-01', messages });
    expect((await service.request('/memory/retrieve', { id: stored.id })).body).toMatchObject({ memory: { messages } });
    const found = async (dates: object) => {
      const { body } = await service.request('/memory/search', { query: 'heron', ...dates });
      return (body.results as { id: string }[]).map((hit) => hit.id);
    };
    expect(await found({ date_to: '2025-12-31' })).toEqual([id]);
    expect(await found({ date_from: '2026-01-01' })).toEqual([stored.id]);
    await service.close();
  });

  it('keeps the copies of the last three upgrades', async () => {
    const { folder } = await anOldFolder();
    await mkdir(join(folder, 'data', 'backups'));
    const older = [1, 2, 3, 4].map((day) => `metadata-v1-2025010${day}T000000000Z.sqlite3`);
    for (const name of [...older, 'mine.txt']) await writeFile(join(folder, 'data', 'backups', name), '');
    await (await startService({}, { folder })).close();
    const names = (await copiesIn(folder)).map((path) => path.split('/').at(-1)).sort();
    expect(names).toEqual([...older.slice(2), expect.stringMatching(/^metadata-v1-20(?!250)/), 'mine.txt']);
  });

  it('is left alone when it cannot be copied', async () => {
    const { folder, file } = await anOldFolder();
    await writeFile(join(folder, 'data', 'backups'), 'a file where the folder should be');
    await expect(startService({}, { folder })).rejects.toMatchObject({ code: 'upgrade_not_copied' });
    const database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'facts'").get()).toEqual({ n: 0 });
    database.close();
  });

  it('has its copies forgotten with what is forgotten', async () => {
    const { folder } = await anOldFolder();
    const service = await startService({}, { folder });
    await service.request('/memory/forget', { ids: [id], dry_run: false });
    expect(await copiesIn(folder)).toEqual([]);
    expect((await scanFiles(join(folder, 'data'), ['heron'])).found).toEqual([]);
    await service.close();
  });
});

describe('facts from before there were rows of their sources', () => {
  it.each([
    ['none of them', 'DELETE FROM fact_sources'],
    [
      'some, because filling them in broke off',
      'DELETE FROM fact_sources WHERE fact_id < (SELECT max(fact_id) FROM fact_sources)',
    ],
  ])('are forgotten with their conversation: %s', async (_, before) => {
    const folder = await aFolder();
    const first = await startService({}, { folder });
    const stated = await first.insert(aNote('I live in Lisbon. I love Zaubermarzipan. I play the oboe.'));
    await first.close();
    const database = new DatabaseSync(join(folder, 'data', 'metadata.sqlite3'));
    database.exec(before);
    database.close();
    const service = await startService({}, { folder });
    const { body } = await service.request('/memory/forget', { ids: [stated.id], dry_run: false });
    expect(Number(body.facts)).toBeGreaterThan(1);
    expect((await service.request('/memory/facts/search', {})).body).toMatchObject({ results: [] });
    await service.close();
    const after = new DatabaseSync(join(folder, 'data', 'metadata.sqlite3'), { readOnly: true });
    expect(after.prepare('SELECT * FROM fact_sources').all()).toEqual([]);
    after.close();
  });
});

describe('conversations from before there were headings', () => {
  it('are found by their titles after the next start, and those that wait for review of a secret are not', async () => {
    const folder = await aFolder();
    const settings = { memory: { secret_policy: 'quarantine' } };
    const first = await startService(settings, { folder });
    const titled = await first.insert({ ...aNote('We keep the boots by the door.'), title: 'Wintergarten' });
    const secret = await first.insert({
      ...aNote('password: hunter2hunter2 AKIAIOSFODNN7EXAMPLE'),
      title: 'Vorratskammer',
    });
    expect(secret).toMatchObject({ memory_status: 'pending_review' });
    await first.close();
    const database = new DatabaseSync(join(folder, 'data', 'metadata.sqlite3'));
    database.exec("DELETE FROM headings; DELETE FROM headings_terms; DELETE FROM settings WHERE id = 'headings'");
    database.close();
    const service = await startService(settings, { folder });
    const { body } = await service.request('/memory/search', { query: 'Wintergarten' });
    expect(body).toMatchObject({ results: [{ id: titled.id }] });
    await service.close();
    const after = new DatabaseSync(join(folder, 'data', 'metadata.sqlite3'), { readOnly: true });
    expect(after.prepare('SELECT id FROM headings').all()).toEqual([{ id: titled.id }]);
    after.close();
  });
});

describe('a data folder of a newer version', () => {
  it('is refused with what to do, and left unchanged', async () => {
    const { folder, file } = await anOldFolder({ version: 2 });
    const before = await readFile(file);
    await expect(startService({}, { folder })).rejects.toMatchObject({
      code: 'schema_version_unsupported',
      hint: expect.stringContaining('Install the version of Threadkeep that wrote this data'),
    });
    expect(await readFile(file)).toEqual(before);
    expect(await copiesIn(folder)).toEqual([]);
  });
});

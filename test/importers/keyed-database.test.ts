import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { openKeyed } from '../../src/importers/reading/database.js';
import { aFolder } from '../support/service.js';

async function aDatabase(...statements: string[]): Promise<string> {
  const path = join(await aFolder(), 'state.vscdb');
  const database = new DatabaseSync(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  return path;
}

describe('a database of keys and values', () => {
  it('is read from its plain tables', async () => {
    const path = await aDatabase(
      'CREATE TABLE ItemTable (key TEXT PRIMARY KEY, value BLOB)',
      `INSERT INTO ItemTable VALUES ('a', '{"b":1}'), ('broken', '{')`,
    );
    const rows = await openKeyed(path);
    expect([rows?.get('ItemTable', 'a'), rows?.get('ItemTable', 'broken')]).toEqual([{ b: 1 }, undefined]);
    expect([...(rows?.withPrefix('ItemTable', '') ?? [])]).toHaveLength(2);
    rows?.close();
  });

  it.each([
    ['a view', 'CREATE VIEW ItemTable AS SELECT 1 AS key, 2 AS value'],
    ['a computed column', `CREATE TABLE ItemTable (key TEXT, value TEXT AS ('{"b":1}'))`],
    ['a computed column in full', `CREATE TABLE ItemTable (key TEXT, value TEXT GENERATED ALWAYS AS ('1') VIRTUAL)`],
  ])('runs nothing that stands in %s', async (_, statement) => {
    const rows = await openKeyed(await aDatabase(statement));
    expect(rows?.get('ItemTable', 'a')).toBeUndefined();
    expect([...(rows?.withPrefix('ItemTable', '') ?? [])]).toEqual([]);
    rows?.close();
  });

  it('that is not a database cannot be opened', async () => {
    const path = join(await aFolder(), 'state.vscdb');
    await writeFile(path, 'not a database at all, but long enough to be looked at twice by a reader of headers');
    expect(await openKeyed(path)).toBeUndefined();
  });
});

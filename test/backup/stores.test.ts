import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp, restoreBackup } from '../../src/app/backup.js';
import { decodeLines, readBackup } from '../../src/backup/file.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { aNote, invented } from '../support/conversation.js';
import { aFolder, aService, configIn } from '../support/service.js';
import { startPostgres } from '../support/stores.js';

const silent = { log() {}, count() {}, duration() {} };

/** Without what is said about the copying itself. */
async function contentOf(file: string): Promise<string[]> {
  const { rows } = await decodeLines(readBackup(file));
  const all: string[] = [];
  for await (const { table, row } of rows) {
    const { index_state: _, ...kept } = row;
    if (table === 'audit' && /^backup_/.test(String(row.event))) continue;
    all.push(JSON.stringify([table, Object.entries(kept).sort()]));
  }
  return all.sort();
}

/** From SQLite into this store and back again: nothing is lost on the way. */
async function describeCarrying(settings: ConfigInput): Promise<void> {
  const service = await aService({}, { inFolder: true });
  for (let index = 0; index < 5; index++) {
    await service.insert(aNote(`I live in town ${invented(index, 1)}. ${invented(index)}`, { title: `Note ${index}` }));
  }
  const folder = await aFolder();
  const [first, second] = [join(folder, 'first.tkbackup'), join(folder, 'second.tkbackup')];
  await backUp(service.config, silent, { file: first });
  const there = await configIn(await aFolder(), settings);
  await restoreBackup(there, silent, { file: first });
  await backUp(there, silent, { file: second });
  expect(await contentOf(second)).toEqual(await contentOf(first));
  await expect(restoreBackup(there, silent, { file: first })).rejects.toMatchObject({ code: 'data_in_use' });
}

describe('a backup on PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  it('is the same as one on SQLite', async () => {
    const url = await postgres.emptyPlace();
    await describeCarrying({
      providers: { metadata_db: 'postgres' },
      storage: { metadata_providers: { postgres: { url } } },
    });
  });
});

describe.skipIf(process.env.REAL_MONGODB_URL === undefined)('a backup on MongoDB', () => {
  it('is the same as one on SQLite', async () => {
    const database = `t${randomUUID().replaceAll('-', '').slice(0, 20)}`;
    await describeCarrying({
      providers: { metadata_db: 'mongodb' },
      storage: { metadata_providers: { mongodb: { uri: process.env.REAL_MONGODB_URL ?? '', database } } },
    });
  });
});

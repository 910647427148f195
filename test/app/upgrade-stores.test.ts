import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreBackup, upgradeCopies } from '../../src/app/backup.js';
import { verifyBackup } from '../../src/app/backup-file.js';
import { scanFiles } from '../../src/app/verify-forgotten.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { tables } from '../../src/model/tables.js';
import type { MetadataStore, Row, Table } from '../../src/stores/metadata/contract.js';
import { mongodb } from '../../src/stores/metadata/drivers/mongodb/mongodb.js';
import { postgres } from '../../src/stores/metadata/drivers/postgres/postgres.js';
import { startReplicaSet } from '../fakes/mongodb-replica-set.js';
import { aFolder, type Body, configIn, startService } from '../support/service.js';
import { startPostgres } from '../support/stores.js';

const id = '0b6d1b3e-3c5e-4a8e-9c41-000000000001';
const silent = { log() {}, count() {}, duration() {} };

/** The tables of the first version: fewer of them, and without the columns that came later. */
const earliest: Table[] = tables
  .filter(({ name }) => ['conversations', 'messages', 'chunks', 'settings'].includes(name))
  .map((table: Table) => ({
    ...table,
    indexes: [],
    columns: Object.fromEntries(
      Object.entries(table.columns).filter(([name, { optional }]) => !optional || ['title', 'tags'].includes(name)),
    ),
  }));

const rows: [string, Row][] = [
  [
    'conversations',
    {
      id,
      project_id: 'local-default',
      owner_id: 'local',
      source: 'chatgpt',
      title: 'Reeds',
      timestamp: '2025-01-01',
      at: '2025-01-01T00:00:00.000Z',
      conversation_hash: 'sha256:a',
      memory_status: 'active',
      metadata: { imported_at: '2025-01-01T00:00:00Z' },
      message_count: 1,
      chunk_count: 1,
      created_at: '2025-01-01',
      updated_at: '2025-01-01',
    },
  ],
  [
    'messages',
    {
      id: `${id}:000000`,
      conversation_id: id,
      message_index: 0,
      role: 'user',
      text: 'The heron stood in the reeds.',
      hash: 'sha256:b',
    },
  ],
  [
    'chunks',
    {
      id: 'c0',
      conversation_id: id,
      scope: 'project:local-default',
      chunk_index: 0,
      message_index: 0,
      role: 'user',
      start: 0,
      end: 29,
      index_state: 'pending',
      terms: 'heron reeds stood',
    },
  ],
];

interface Older {
  settings: ConfigInput;
  create(place?: { upgrade: boolean }): MetadataStore;
}

async function filled({ create }: Older, which: typeof rows = rows): Promise<void> {
  const store = create();
  await store.open(earliest);
  await store.write(which.map(([table, row]) => ({ kind: 'put', table, row })));
  await store.close();
}

async function copiesIn(folder: string): Promise<string[]> {
  const found = await readdir(join(folder, 'data', 'backups')).catch(() => []);
  return found.map((name) => join(folder, 'data', 'backups', name));
}

function describeUpgrade(name: string, anOlderStore: () => Promise<Older>): void {
  describe(`data of an older version in ${name}`, () => {
    it('is backed up before it is upgraded, once, for its owner alone, and the copy is named', async () => {
      const older = await anOlderStore();
      await filled(older);
      const folder = await aFolder();
      const service = await startService(older.settings, { folder });
      const logged = service.logLines
        .map((line) => JSON.parse(line) as Body)
        .filter(({ event }) => event === 'metadata_upgraded');
      const [copy = '', ...others] = await copiesIn(folder);
      expect(others).toEqual([]);
      expect(logged).toMatchObject([{ level: 'warn', file: copy }]);
      expect((await stat(copy)).mode & 0o777).toBe(0o600);
      expect(await verifyBackup({ file: copy })).toMatchObject({ rows: { conversations: 1, messages: 1, chunks: 1 } });
      expect((await service.request('/memory/retrieve', { id })).body).toMatchObject({ memory: { title: 'Reeds' } });
      await service.close();
      await (await startService(older.settings, { folder })).close();
      expect(upgradeCopies(service.config)).toEqual([copy]);

      const restored = await configIn(await aFolder());
      await restoreBackup(restored, silent, { file: copy });
      const again = await startService({}, { folder: join(restored.paths.dataDir, '..') });
      expect((await again.search({ query: 'heron' })).results).toMatchObject([{ id }]);
      await again.close();
    });

    it('is left alone when it cannot be backed up', async () => {
      const older = await anOlderStore();
      await filled(older);
      const folder = await aFolder();
      await mkdir(join(folder, 'data'));
      await writeFile(join(folder, 'data', 'backups'), 'a file where the folder should be');
      await expect(startService(older.settings, { folder })).rejects.toMatchObject({ code: 'upgrade_not_copied' });
      const store = older.create({ upgrade: false });
      expect((await store.open(tables)).older?.map((table) => table.name)).toEqual(earliest.map((table) => table.name));
      await expect(store.write([{ kind: 'remove', table: 'messages', ids: ['x'] }])).rejects.toThrow('reading only');
      await store.close();
      await rm(join(folder, 'data', 'backups'));
      await (await startService(older.settings, { folder })).close();
      expect(await copiesIn(folder)).toHaveLength(1);
    });

    it('has its copies forgotten with what is forgotten', async () => {
      const older = await anOlderStore();
      await filled(older);
      const folder = await aFolder();
      const service = await startService(older.settings, { folder });
      expect(await copiesIn(folder)).toHaveLength(1);
      await service.request('/memory/forget', { ids: [id], dry_run: false });
      expect(await copiesIn(folder)).toEqual([]);
      expect((await scanFiles(join(folder, 'data'), ['heron'])).found).toEqual([]);
      await service.close();
    });

    it('is not backed up where there is none', async () => {
      const older = await anOlderStore();
      await filled(older, []);
      const folder = await aFolder();
      await (await startService(older.settings, { folder })).close();
      expect(await copiesIn(folder)).toEqual([]);
    });
  });
}

describe('PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  describeUpgrade('PostgreSQL', async () => {
    const url = await server.emptyPlace();
    return {
      settings: { providers: { metadata_db: 'postgres' }, storage: { metadata_providers: { postgres: { url } } } },
      create: (place = { upgrade: true }) => postgres.create({ settings: { url }, path: '', ...place }),
    };
  });
});

describe('MongoDB', () => {
  const given = process.env.REAL_MONGODB_URL;
  let server: { url: string; stop(): Promise<unknown> };
  beforeAll(async () => {
    server = given === undefined ? await startReplicaSet() : { url: given, stop: async () => {} };
  });
  afterAll(() => server.stop());

  describeUpgrade('MongoDB', async () => {
    const database = `t${randomUUID().replaceAll('-', '').slice(0, 20)}`;
    const settings = { uri: server.url, database, conversationsCollection: 'conversations' };
    return {
      settings: {
        providers: { metadata_db: 'mongodb' },
        storage: { metadata_providers: { mongodb: { uri: server.url, database } } },
      },
      create: (place = { upgrade: true }) => mongodb.create({ settings, path: '', ...place }),
    };
  });
});

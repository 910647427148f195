import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/model/errors.js';
import { tables } from '../../../src/model/tables.js';
import {
  type Condition,
  type MetadataStore,
  type Table,
  WriteConflict,
} from '../../../src/stores/metadata/contract.js';
import { sqliteDialect } from '../../../src/stores/metadata/drivers/sqlite/schema.js';
import { sqlite } from '../../../src/stores/metadata/drivers/sqlite/sqlite.js';
import { findStatement } from '../../../src/stores/metadata/shared/sql/sql.js';
import { describeMetadataStore } from '../../conformance/metadata-store.js';

const notes: Table = { name: 'notes', columns: { text: { type: 'text' } }, terms: 'terms' };
const folders: string[] = [];
const places = new WeakMap<MetadataStore, string>();

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

describeMetadataStore('sqlite in a file', {
  open: async (tables) => (await openAt(await freshPath(), tables)).store,
  async reopen(store, tables) {
    const path = places.get(store) ?? '';
    await store.close();
    return openAt(path, tables);
  },
});

describeMetadataStore('sqlite in memory', {
  open: async (tables) => (await openAt(':memory:', tables)).store,
  skip: [
    {
      reason: 'it has one connection, which reads what it wrote; nothing that must be kept is ever held there',
      cases: ['stays as it was while rows are added, changed and removed'],
    },
  ],
});

describe('sqlite', () => {
  it('finds rows by their ids alone, however many others share the rest', async () => {
    const path = await freshPath();
    const { store } = await openAt(path, tables);
    await store.close();
    const database = new DatabaseSync(path, { readOnly: true });
    const where: Condition[] = [
      { field: 'id', is: 'in', value: ['a', 'b'] },
      { field: 'project_id', is: 'eq', value: 'p' },
      { field: 'memory_status', is: 'eq', value: 'active' },
      { field: 'at', is: 'gte', value: '2026' },
    ];
    const table = tables.find(({ name }) => name === 'conversations') as Table;
    const { text, parameters } = findStatement({ dialect: sqliteDialect, table }, { where });
    const [plan] = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters) as { detail: string }[];
    database.close();
    expect(plan?.detail).toMatch(/USING INDEX sqlite_autoindex_conversations_1 \(id=\?\)/);
  });

  it('finds rows with an optional value by an index that leaves out those without', async () => {
    const path = await freshPath();
    const { store } = await openAt(path, tables);
    await store.close();
    const database = new DatabaseSync(path, { readOnly: true });
    const planOf = (where: string): string => {
      const [plan] = database.prepare(`EXPLAIN QUERY PLAN SELECT count(*) FROM chunks AS t WHERE ${where}`).all(2);
      return (plan as { detail: string }).detail;
    };
    expect(planOf('"windows" >= ?')).toContain('INDEX chunks_by_windows_id (windows>?)');
    expect(planOf('"windows" IS NULL AND "start" = ?')).not.toContain('windows');
    database.close();
  });

  it('commits many writes at once, and fails only the one that conflicts', async () => {
    const { store } = await openAt(await freshPath(), [notes]);
    await store.write([aNote('taken')]);
    const ids = Array.from({ length: 50 }, (_, index) => (index === 20 ? 'taken' : `n${index}`));
    const outcomes = await Promise.allSettled(ids.map((id) => store.write([aNote(`${id}-first`), aNote(id)])));
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [[index, outcome.reason]] : [],
    );
    expect(failed).toEqual([[20, expect.any(WriteConflict)]]);
    expect(await store.count('notes')).toBe(1 + 49 * 2);
    await store.close();
  });

  // FTS5 does not subtract what is replaced in an index without content, and BM25 then takes every word for rarer.
  it('gives the same scores after every row is rewritten and the store reopened', async () => {
    const path = await freshPath();
    const said = (index: number): string => `word${index % 7} ${'more '.repeat(index % 5)}canoe${index % 3}`;
    const put = Array.from({ length: 300 }, (_, index) => ({
      kind: 'put' as const,
      table: 'notes',
      row: { id: `n${index}`, text: '', terms: said(index) },
    }));
    const scores = async (store: MetadataStore) =>
      store.searchText?.('notes', { terms: ['canoe1', 'word3'], limit: 20, where: [] });
    const first = await openAt(path, [notes]);
    await first.store.write(put);
    const fresh = await scores(first.store);
    await first.store.write(put);
    await first.store.write([{ kind: 'put', table: 'notes', row: { id: 'gone', text: '', terms: 'canoe1' } }]);
    await first.store.write([{ kind: 'remove', table: 'notes', ids: ['gone'] }]);
    expect(await scores(first.store)).not.toEqual(fresh);
    await first.store.close();
    const again = await openAt(path, [notes]);
    expect(await scores(again.store)).toEqual(fresh);
    await again.store.write([{ kind: 'put', table: 'notes', row: { id: 'new', text: '', terms: 'heron' } }]);
    expect(await again.store.searchText?.('notes', { terms: ['heron'], limit: 5, where: [] })).toHaveLength(1);
    await again.store.close();
    // Throws when the index does not hold together.
    const file = new DatabaseSync(path);
    file.exec("INSERT INTO notes_terms(notes_terms) VALUES('integrity-check')");
    file.close();
  });

  it('creates the folder, and leaves one file without a log when closed', async () => {
    const path = join(dirname(await freshPath()), 'deep', 'down', 'metadata.sqlite3');
    const { store, schemaVersion } = await openAt(path, [notes]);
    expect(schemaVersion).toBe(1);
    await store.write([aNote('a')]);
    await store.close();
    expect(await readdir(dirname(path))).toEqual(['metadata.sqlite3']);
    expect(inspect(path, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
  });

  it('waits while another connection holds the write lock', async () => {
    const path = await freshPath();
    const { store } = await openAt(path, [notes]);
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    let settled = false;
    const write = store.write([aNote('a')]).finally(() => {
      settled = true;
    });
    // Reading goes on meanwhile.
    for (let index = 0; index < 20; index++) expect(await store.count('notes')).toBe(0);
    expect(settled).toBe(false);
    other.exec('COMMIT');
    other.close();
    await write;
    expect(await store.count('notes')).toBe(1);
    await store.close();
  });

  it('reports a newer version, changes nothing and refuses to work', async () => {
    const path = await freshPath();
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE future (id TEXT); PRAGMA user_version = 99');
    database.close();
    const before = await readFile(path);
    const { store, schemaVersion } = await openAt(path, [notes]);
    expect(schemaVersion).toBe(99);
    await expect(store.write([aNote('a')])).rejects.toThrow('not open');
    await expect(store.find('notes')).rejects.toThrow('not open');
    await store.close();
    expect((await readFile(path)).equals(before)).toBe(true);
    expect(await readdir(dirname(path))).toEqual(['metadata.sqlite3']);
  });

  it('refuses a database of another program and leaves it unchanged', async () => {
    const path = await freshPath();
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE conversations (id TEXT)');
    database.close();
    const before = await readFile(path);
    const store = sqlite.create({ settings: {}, path });
    await expect(store.open([notes])).rejects.toBeInstanceOf(StartupError);
    await store.close();
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('rejects a file that is not a database, and still closes', async () => {
    const path = await freshPath();
    await writeFile(path, 'this is not a database, whatever its name says. '.repeat(100));
    const store = sqlite.create({ settings: {}, path });
    await expect(store.open([notes])).rejects.toThrow('not a database');
    await expect(store.find('notes')).rejects.toThrow('not open');
    await store.close();
  });

  it('adds new tables, optional columns and indexes to an existing database', async () => {
    const path = await freshPath();
    const first = await openAt(path, [notes]);
    await first.store.write([aNote('a')]);
    await first.store.close();
    const columns: Table['columns'] = { ...notes.columns, colour: { type: 'text', optional: true } };
    const grown: Table = { ...notes, columns, unique: [['colour']], indexes: [['text']] };
    const labels: Table = { name: 'labels', columns: {} };
    for (let round = 0; round < 2; round++) {
      const { store, schemaVersion } = await openAt(path, [grown, labels]);
      expect(schemaVersion).toBe(1);
      await store.write([{ kind: 'put', table: 'notes', row: { id: 'b', text: 'x', colour: 'red' } }]);
      await store.write([{ kind: 'put', table: 'labels', row: { id: 'l' } }]);
      expect(await store.find('notes')).toEqual([
        { id: 'a', text: 'note' },
        { id: 'b', text: 'x', colour: 'red' },
      ]);
      await store.close();
    }
  });

  it('asks for a migration when a required column is missing', async () => {
    const path = await freshPath();
    await (await openAt(path, [notes])).store.close();
    const columns: Table['columns'] = { ...notes.columns, colour: { type: 'text' } };
    const store = sqlite.create({ settings: {}, path });
    await expect(store.open([{ ...notes, columns }])).rejects.toThrow('colour');
    await store.close();
  });

  it('reads an existing file read-only, beside a writer and alone, and writes nothing', async () => {
    const path = await freshPath();
    const { store } = await openAt(path, [notes]);
    await store.write([aNote('a')]);
    const beside = await openAt(path, [notes], { readOnly: true });
    expect(beside.schemaVersion).toBe(1);
    await store.write([aNote('b')]);
    expect(await beside.store.count('notes')).toBe(2);
    await expect(beside.store.write([aNote('c')])).rejects.toThrow('reading only');
    await beside.store.close();
    await store.close();
    const before = await readFile(path);
    const alone = await openAt(path, [notes], { readOnly: true });
    expect(await alone.store.searchText?.('notes', { terms: ['word'], limit: 9 })).toHaveLength(2);
    await alone.store.close();
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('rejects a read-only open of a missing file or of one that lacks tables', async () => {
    const path = await freshPath();
    const missing = sqlite.create({ settings: {}, path, readOnly: true });
    await expect(missing.open([notes])).rejects.toThrow();
    await missing.close();
    expect(await readdir(dirname(path))).toEqual([]);
    await (await openAt(path, [notes])).store.close();
    const older = sqlite.create({ settings: {}, path, readOnly: true });
    await expect(older.open([notes, { name: 'labels', columns: {} }])).rejects.toThrow('for writing');
    await older.close();
  });

  it('rejects pending and later calls when its threads die, and still closes', async () => {
    const workers: Worker[] = [];
    const remember = (worker: Worker) => workers.push(worker);
    process.on('worker', remember);
    const { store } = await openAt(await freshPath(), [notes]);
    process.off('worker', remember);
    expect(workers).toHaveLength(2);
    const pending = [
      store.write(Array.from({ length: 5000 }, (_, index) => aNote(`n${index}`))),
      store.write([aNote('later')]),
    ];
    const outcomes = Promise.allSettled(pending);
    await Promise.all(workers.map((worker) => worker.terminate()));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(store.find('notes')).rejects.toThrow('thread of the metadata database has ended');
    await expect(store.write([aNote('x')])).rejects.toThrow('thread of the metadata database has ended');
    await store.close();
  });

  it('receives large rows a few at a time, and all of them', async () => {
    const workers: Worker[] = [];
    const remember = (worker: Worker) => workers.push(worker);
    process.on('worker', remember);
    const { store } = await openAt(await freshPath(), [notes]);
    process.off('worker', remember);
    const ids = Array.from({ length: 9 }, (_, index) => `n${index}`);
    const texts = ids.map((id) => `${id} `.repeat(100_000));
    await store.write(ids.map((id, index) => ({ kind: 'put', table: 'notes', row: { id, text: texts[index] ?? '' } })));
    let most = 0;
    workers.at(-1)?.on('message', (messages: readonly { rows?: unknown[]; value?: unknown[] }[]) => {
      for (const { rows, value } of messages) most = Math.max(most, (rows ?? value ?? []).length);
    });
    const found = await store.find('notes', {
      where: [{ field: 'id', is: 'in', value: ids }],
      order: { by: 'id', direction: 'asc' },
    });
    expect(found.map(({ text }) => text)).toEqual(texts);
    // Two of them have more letters than a part should have.
    expect(most).toBe(2);
    await store.close();
  });

  it('lets the event loop turn while a long result arrives', async () => {
    const { store } = await openAt(await freshPath(), [{ name: 'notes', columns: notes.columns }]);
    const rows = 50_000;
    await store.write(
      Array.from({ length: rows }, (_, index) => ({
        kind: 'insert' as const,
        table: 'notes',
        row: { id: `n${index}`, text: 'text' },
      })),
    );
    let turns = 0;
    let running = true;
    const turn = () => {
      turns++;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    const found = await store.find('notes');
    running = false;
    expect(found).toHaveLength(rows);
    // At most two parts of 500 rows are taken in one turn.
    expect(turns).toBeGreaterThan(rows / 500 / 2 - 5);
    await store.close();
  });

  it('cannot be used before it is open, nor opened twice', async () => {
    const store = sqlite.create({ settings: {}, path: ':memory:' });
    await expect(store.count('notes')).rejects.toThrow('not open');
    await store.open([notes]);
    await expect(store.open([notes])).rejects.toThrow('only once');
    await store.close();
  });

  it('closes cleanly while it is still opening', async () => {
    const store = sqlite.create({ settings: {}, path: await freshPath() });
    const opening = store.open([notes]);
    await store.close();
    expect(await opening).toEqual({ schemaVersion: 1 });
    await expect(store.find('notes')).rejects.toThrow('closed');
  });
});

async function freshPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'metadata-'));
  folders.push(folder);
  return join(folder, 'metadata.sqlite3');
}

async function openAt(path: string, tables: readonly Table[], { readOnly = false } = {}) {
  const store = sqlite.create({ settings: {}, path, readOnly });
  places.set(store, path);
  const { schemaVersion } = await store.open(tables);
  return { store, schemaVersion };
}

function aNote(id: string) {
  return { kind: 'insert' as const, table: 'notes', row: { id, text: 'note', terms: 'word' } };
}

function inspect(path: string, text: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(text).all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/model/errors.js';
import { type MetadataStore, type Table, WriteConflict } from '../../../src/stores/metadata/contract.js';
import { postgres } from '../../../src/stores/metadata/drivers/postgres/postgres.js';
import { openPostgresPool, type PostgresPool } from '../../../src/stores/shared/postgres-pool.js';
import { describeMetadataStore } from '../../conformance/metadata-store.js';
import { startPglite } from '../../support/pglite-server.js';

/** A whole PostgreSQL where one is given (scripts/services/postgres.sh), the one inside this process otherwise. */
const given = process.env.REAL_POSTGRES_URL;
const notes: Table = { name: 'notes', columns: { text: { type: 'text' } }, terms: 'terms' };
let server: { url: string; stop: () => Promise<void> };
let pool: PostgresPool;
const places = new WeakMap<MetadataStore, string>();

beforeAll(async () => {
  server = given === undefined ? await startPglite() : { url: given, stop: async () => {} };
  pool = await openPostgresPool(server.url);
});

afterAll(async () => {
  await pool.end();
  await server.stop();
});

describeMetadataStore(`postgres${given === undefined ? ' in this process' : ''}`, {
  open: async (tables) => (await openAt(await freshPlace(), tables)).store,
  async reopen(store, tables) {
    const url = places.get(store) ?? '';
    await store.close();
    return openAt(url, tables);
  },
  ...(given === undefined && {
    leaveOut: [
      {
        reason: 'PostgreSQL inside this process has one session for everybody, and a second one waits for the first',
        cases: ['stays as it was while rows are added, changed and removed'],
      },
    ],
  }),
});

describe('postgres', () => {
  it('fails only the one of many writes that conflicts', async () => {
    const { store } = await openAt(await freshPlace(), [notes]);
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

  it('creates its tables once when several open it at the same time', async () => {
    const url = await freshPlace();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openAt(url, [notes])));
    expect(opened.map(({ schemaVersion }) => schemaVersion)).toEqual([1, 1, 1, 1]);
    for (const { store } of opened) await store.close();
  });

  it('leaves a newer schema alone and says its version', async () => {
    const url = await freshPlace();
    await (await openAt(url, [notes])).store.close();
    await inPlace(url, 'UPDATE threadkeep_schema SET version = 7');
    const { store, schemaVersion } = await openAt(url, [notes, { ...notes, name: 'more' }]);
    expect(schemaVersion).toBe(7);
    await expect(store.find('notes')).rejects.toThrow('not open');
    await store.close();
    expect(await inPlace(url, `SELECT to_regclass('more')::text AS name`)).toEqual([{ name: null }]);
  });

  it('refuses tables of another program and leaves them alone', async () => {
    const url = await freshPlace();
    await inPlace(url, 'CREATE TABLE notes (n int)');
    const store = postgres.create({ settings: { url }, path: '' });
    await expect(store.open([notes])).rejects.toBeInstanceOf(StartupError);
    await store.close();
    expect(await inPlace(url, 'SELECT count(*)::int AS n FROM notes')).toEqual([{ n: 0 }]);
  });

  it('creates nothing when it may only read, and says that nothing is there', async () => {
    const url = await freshPlace();
    const store = postgres.create({ settings: { url }, path: '', readOnly: true });
    expect(await store.open([notes])).toEqual({ schemaVersion: 0 });
    await store.close();
    expect(await inPlace(url, `SELECT to_regclass('notes')::text AS name`)).toEqual([{ name: null }]);
  });

  it('adds optional columns and new tables to a store that lacks them', async () => {
    const url = await freshPlace();
    const { store } = await openAt(url, [notes]);
    await store.write([aNote('a')]);
    await store.close();
    const wider: Table = { ...notes, columns: { ...notes.columns, mood: { type: 'text', optional: true } } };
    const again = await openAt(url, [wider, { ...notes, name: 'more' }]);
    await again.store.write([{ kind: 'patch', table: 'notes', ids: ['a'], set: { mood: 'good' } }]);
    expect(await again.store.find('notes')).toEqual([{ id: 'a', text: 'x', mood: 'good' }]);
    expect(await again.store.count('more')).toBe(0);
    await again.store.close();
  });

  it('says nothing of a row in the error of a refused one', async () => {
    const { store } = await openAt(await freshPlace(), [notes]);
    const error = await store.write([{ kind: 'insert', table: 'notes', row: { id: 'secret-id' } }]).catch(String);
    expect(error).toContain('not-null');
    expect(error).not.toContain('secret-id');
    await store.close();
  });
});

function aNote(id: string) {
  return { kind: 'insert', table: 'notes', row: { id, text: 'x', terms: 'word' } } as const;
}

/** An empty schema of its own; inside this process there is one for all, which is emptied. */
async function freshPlace(): Promise<string> {
  const schema = given === undefined ? 'public' : `t${randomUUID().replaceAll('-', '')}`;
  if (given === undefined) await pool.query('DROP SCHEMA public CASCADE');
  await pool.query(`CREATE SCHEMA ${schema}`);
  return given === undefined ? server.url : `${server.url}?options=-csearch_path%3D${schema}`;
}

async function openAt(url: string, tables: readonly Table[]) {
  const store = postgres.create({ settings: { url }, path: '' });
  places.set(store, url);
  const { schemaVersion } = await store.open(tables);
  return { store, schemaVersion };
}

async function inPlace(url: string, text: string): Promise<unknown[]> {
  const other = await openPostgresPool(url);
  const { rows } = await other.query<unknown>(text);
  await other.end();
  return rows;
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresPool, type PostgresPool } from '../../../src/stores/shared/postgres-pool.js';
import { pgvector } from '../../../src/stores/vector/drivers/pgvector/pgvector.js';
import { describeVectorStore } from '../../conformance/vector-store.js';
import { startPglite } from '../../support/pglite-server.js';

const shape = { dimension: 8, distance: 'cosine' } as const;
let server: Awaited<ReturnType<typeof startPglite>>;
let pool: PostgresPool;

beforeAll(async () => {
  // A whole PostgreSQL where one is given, the one in this process otherwise.
  const given = process.env.REAL_PGVECTOR_URL;
  server = given === undefined ? await startPglite() : { url: given, stop: async () => {} };
  pool = await openPostgresPool(server.url);
});

afterAll(async () => {
  await pool.end();
  await server.stop();
});

function aTable() {
  const table = `vectors_${randomUUID().replaceAll('-', '')}`;
  return { table, make: () => pgvector.create({ settings: { url: server.url, tableName: table }, path: '' }) };
}

describeVectorStore('pgvector', {
  open: async () => {
    const { make } = aTable();
    const store = make();
    await store.open(shape);
    return { store, reopen: async () => make(), shape };
  },
  distances: pgvector.distances,
  persistent: pgvector.persistent,
});

describe('the pgvector store', () => {
  it('makes an index for its distance', async () => {
    const { table, make } = aTable();
    const store = make();
    await store.open({ dimension: 8, distance: 'l2' });
    const { rows } = await pool.query<{ indexdef: string }>('SELECT indexdef FROM pg_indexes WHERE tablename = $1', [
      table,
    ]);
    expect(rows.map((row) => row.indexdef)).toContainEqual(expect.stringContaining('hnsw (vector vector_l2_ops)'));
    await store.close();
  });

  it('leaves a table of another program alone', async () => {
    const { table, make } = aTable();
    await pool.query(`CREATE TABLE ${table} (id int)`);
    const store = make();
    await expect(store.open(shape)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining('not created by Threadkeep'),
    });
    await store.close();
  });

  it('refuses a table of another schema version', async () => {
    const { table, make } = aTable();
    const store = make();
    await store.open(shape);
    await pool.query(`COMMENT ON TABLE ${table} IS '{"threadkeep_schema_version":2,"distance":"cosine"}'`);
    const again = make();
    await expect(again.open(shape)).rejects.toMatchObject({ code: 'schema_version_unsupported' });
    await again.close();
    await store.close();
  });

  it('scans vectors that are too long for an index', async () => {
    const { make } = aTable();
    const store = make();
    await store.open({ dimension: 2_001, distance: 'cosine' });
    const vector = new Float32Array(2_001).fill(1);
    const id = randomUUID();
    await store.upsert([{ id, vector, scope: 'user:one', conversationId: 'c' }]);
    expect(await store.search(vector, { limit: 5, where: { scopes: ['user:one'] } })).toEqual([{ id, distance: 0 }]);
    await store.close();
  });

  it('can be opened by many at once', async () => {
    const { make } = aTable();
    const stores = Array.from({ length: 4 }, make);
    await Promise.all(stores.map((store) => store.open(shape)));
    expect(await stores[3]?.count()).toBe(0);
    for (const store of stores) await store.close();
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConfigInput } from '../../src/config/schema.js';
import { tables } from '../../src/model/tables.js';
import { postgres as driver } from '../../src/stores/metadata/drivers/postgres/postgres.js';
import { openPostgresPool } from '../../src/stores/shared/postgres-pool.js';
import { aNote, invented } from '../support/conversation.js';
import { aCuttingProxy } from '../support/cutting-proxy.js';
import { soon } from '../support/patience.js';
import { aFolder, aService, startService, type TestService } from '../support/service.js';
import { startPostgres } from '../support/stores.js';

/** PGlite has one backend and keeps a transaction open whose client is gone: what needs better needs a real server. */
const real = process.env.REAL_POSTGRES_URL !== undefined;

let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** A database behind a proxy, and the address that leads through it. */
async function aReachableDatabase() {
  const direct = new URL(await postgres.emptyPlace());
  const proxy = await aCuttingProxy({ port: Number(direct.port) || 5432 });
  const url = new URL(direct);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

const patience: ConfigInput = { circuit: { failures: 3, pause_ms: 200 } };
const timeouts = { timeout_ms: 2_000, max_retries: 1 };

function withMetadataAt(url: string): ConfigInput {
  return {
    ...patience,
    providers: { metadata_db: 'postgres' },
    storage: { ...timeouts, metadata_providers: { postgres: { url } } },
  };
}

function withVectorsAt(url: string): ConfigInput {
  return {
    ...patience,
    providers: { vector_db: 'pgvector' },
    storage: { ...timeouts, vector: { allow_fallback: false }, vector_providers: { pgvector: { url } } },
  };
}

const insert = (service: TestService, number: number) =>
  service.request('/memory/insert', aNote(`${invented(number, 6)} n${number}`));

async function circuitOf(service: TestService, dependency: 'metadata' | 'vectors'): Promise<string> {
  const { body } = await service.send('/ready');
  const { dependencies } = body.health as { dependencies: Record<string, { circuit: string }> };
  return String(dependencies[dependency]?.circuit);
}

describe('a metadata database that goes away and comes back', () => {
  it('is reported as unavailable, is not called meanwhile, and is used again without a restart', async () => {
    const { proxy, url } = await aReachableDatabase();
    const service = await aService(withMetadataAt(url));
    const { body: first } = await insert(service, 1);
    await proxy.cut();
    for (let number = 2; number < 7; number++) {
      const { status, body, headers } = await insert(service, number);
      expect([status, body.error_code]).toEqual([503, 'metadata_unavailable']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(await circuitOf(service, 'metadata')).not.toBe('closed');
    expect((await service.send('/ready')).status).toBe(503);
    expect((await service.send('/health')).status).toBe(200);

    await proxy.restore();
    await expect.poll(async () => (await insert(service, 2)).status, soon).toBe(200);
    expect((await service.request('/memory/retrieve', { id: first.id })).status).toBe(200);
    expect(await circuitOf(service, 'metadata')).toBe('closed');
    expect((await service.send('/ready')).status).toBe(200);
  });

  it.skipIf(!real)(
    'may cut every connection of 16 writers: nothing acknowledged is lost or duplicated',
    async () => {
      const { proxy, url } = await aReachableDatabase();
      const service = await aService(withMetadataAt(url));
      const acknowledged = new Map<number, string>();
      const write = async (writer: number): Promise<void> => {
        for (let turn = 0; turn < 6; turn++) {
          const number = writer * 100 + turn;
          await expect
            .poll(
              async () => {
                const { status, body } = await insert(service, number);
                if (status === 200) acknowledged.set(number, String(body.id));
                else expect([status, body.error_code]).toEqual([503, 'metadata_unavailable']);
                return status;
              },
              { timeout: 30_000, interval: 20 },
            )
            .toBe(200);
        }
      };
      const writing = Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
      for (const most of [10, 40, 70]) {
        await expect.poll(() => acknowledged.size, soon).toBeGreaterThan(most);
        await proxy.cut();
        await proxy.restore();
      }
      await writing;
      for (const id of acknowledged.values()) {
        expect((await service.request('/memory/retrieve', { id })).status).toBe(200);
      }
      const listed = await service.request('/memory/conversations/list', { limit: 100 });
      expect([acknowledged.size, new Set(acknowledged.values()).size, listed.body.total]).toEqual([96, 96, 96]);
    },
    120_000,
  );

  it('that never answers costs a request no more than its time-out', async () => {
    const { proxy, url } = await aReachableDatabase();
    const { storage, ...rest } = withMetadataAt(url);
    const service = await aService({ ...rest, storage: { ...storage, timeout_ms: 1_000 } });
    const { body } = await insert(service, 1);
    proxy.stall();
    const started = performance.now();
    expect((await service.request('/memory/retrieve', { id: body.id })).body.error_code).toBe('metadata_unavailable');
    expect(performance.now() - started).toBeLessThan(15_000);
    await proxy.cut();
    await proxy.restore();
    await expect.poll(async () => (await service.request('/memory/retrieve', { id: body.id })).status, soon).toBe(200);
  });

  it('stops the start with a clear error while it is away, and not afterwards', async () => {
    const { proxy, url } = await aReachableDatabase();
    const folder = await aFolder();
    await proxy.cut();
    await expect(startService(withMetadataAt(url), { folder })).rejects.toMatchObject({ code: 'driver_unavailable' });
    await proxy.restore();
    const service = await aService(withMetadataAt(url), { folder });
    expect((await insert(service, 1)).status).toBe(200);
  });
});

describe('a vector database that goes away and comes back', () => {
  it('costs searches, not inserts, and gets what it missed', async () => {
    const { proxy, url } = await aReachableDatabase();
    const service = await aService(withVectorsAt(url));
    await insert(service, 1);
    expect(await service.vectorRows()).toBe(1);
    await proxy.cut();
    for (let number = 2; number < 6; number++) {
      expect(await insert(service, number)).toMatchObject({ status: 200, body: { status: 'ok' } });
    }
    expect(await service.request('/memory/search', { query: invented(1, 6) })).toMatchObject({
      status: 503,
      body: { error_code: 'vector_unavailable' },
    });
    await expect.poll(() => circuitOf(service, 'vectors'), soon).not.toBe('closed');
    const { body: away } = await service.send('/metrics');
    expect(String(away.text)).toContain('memory_circuit_open{dependency="vectors"} 1');
    expect(String(away.text)).toMatch(
      /memory_dependency_failures_total\{dependency="vectors",error_type="error"\} \d+/,
    );

    await proxy.restore();
    const { records } = service.service;
    await expect.poll(() => records.chunks.countInState('pending'), soon).toBe(0);
    expect(await service.vectorRows()).toBe(5);
    expect((await service.request('/memory/search', { query: invented(3, 6) })).status).toBe(200);
  });
});

describe('a snapshot', () => {
  it('gives its connection back when the database goes away before its end', async () => {
    const { proxy, url } = await aReachableDatabase();
    const store = driver.create({ settings: { url }, path: '' });
    await store.open(tables);
    // As many as the pool has connections: with one kept each time, nothing would be left to ask with.
    for (let time = 0; time < 10; time++) {
      const snapshot = await store.snapshot();
      expect(await snapshot.count('conversations')).toBe(0);
      await proxy.cut();
      await expect(snapshot.close()).rejects.toThrow();
      await proxy.restore();
    }
    const last = await store.snapshot();
    expect(await last.count('conversations')).toBe(0);
    await last.close();
    await store.close();
  });
});

describe('a pool of connections', () => {
  it('outlives the end of a connection in the middle of a transaction', async () => {
    const { proxy, url } = await aReachableDatabase();
    const pool = await openPostgresPool(url);
    const broken = pool.transaction(async (client) => {
      await client.query('SELECT 1');
      await proxy.cut();
      // Nothing is asked at this moment: the connection tells of its end on its own.
      await expect.poll(() => proxy.connections(), soon).toBe(0);
      await new Promise((resolve) => setImmediate(resolve));
      return client.query('SELECT 2');
    });
    await expect(broken).rejects.toThrow();
    await proxy.restore();
    expect((await pool.query<{ n: number }>('SELECT 3 AS n')).rows).toEqual([{ n: 3 }]);
    const reserved = await pool.reserve();
    await proxy.cut();
    await new Promise((resolve) => setImmediate(resolve));
    reserved.release(true);
    await pool.end();
  });
});
